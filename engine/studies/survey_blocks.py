"""Shipped blocks of survey questions, named by `block` in a study file."""

from __future__ import annotations

from typing import Any

_YES_NO_OPTIONS = ["Yes", "No", "I would rather not say"]

QUESTION_BLOCKS: dict[str, list[dict[str, Any]]] = {
    "demographics": [
        {"name": "age", "text": "How old are you, in years?", "kind": "number", "optional": True},
        {
            "name": "gender",
            "text": "What is your gender?",
            "kind": "choice",
            "options": ["Woman", "Man", "Another gender", "I would rather not say"],
        },
        {
            "name": "education",
            "text": "What is the highest level of education that you have completed?",
            "kind": "choice",
            "options": [
                "Primary school",
                "Secondary school",
                "Vocational training",
                "Bachelor’s degree",
                "Master’s degree",
                "Doctorate",
                "I would rather not say",
            ],
        },
    ],
    "english": [
        {
            "name": "first_language",
            "text": "Is English your first language, or one of them?",
            "kind": "choice",
            "options": ["Yes", "No"],
        },
        {
            "name": "english_level",
            "text": "How well do you understand written English?",
            "kind": "scale",
            "low": 1,
            "high": 7,
            "low_label": "hardly",
            "high_label": "perfectly",
        },
    ],
    "seen_before": [
        {
            "name": "seen_before",
            "text": "Have you seen any of these pictures, grids or maps before this study?",
            "kind": "choice",
            "options": ["Yes", "No", "I am not sure"],
        }
    ],
    "used_ai": [
        {
            "name": "used_ai",
            "text": "Did you use an AI system or another person’s help? Your answer has no effect on your payment.",
            "kind": "choice",
            "options": _YES_NO_OPTIONS,
        }
    ],
    "how_decided": [
        {
            "name": "how_decided",
            "text": "How did you decide what to say and what to choose?",
            "lines": 4,
            "optional": True,
        }
    ],
    "person_or_machine": [
        {
            "name": "partner_guess",
            "text": "Do you think that your partner was a person or a computer program?",
            "kind": "choice",
            "options": ["A person", "A computer program"],
        },
        {
            "name": "partner_guess_certainty",
            "text": "How certain are you?",
            "kind": "scale",
            "low": 1,
            "high": 5,
            "low_label": "guessing",
            "high_label": "certain",
        },
    ],
}
"""Questions by block, as in a study file."""
