// The search of the Results page: a box for words.
import { el } from '/web/core/dom.js';

const MAX_WORDS = 200; // as the server has it
const SCOPE = ['game', 'variant', 'experiment', 'player', 'kind'];

/** The box. `update` shows what an address asks for. */
export function searchForm(go) {
  const words = el('input', {
    type: 'search',
    id: 'search-words',
    name: 'words',
    maxlength: MAX_WORDS,
    placeholder: 'words, or "words in quotes"',
    autocomplete: 'off',
  });
  const prompts = el('input', { type: 'checkbox', id: 'search-prompts' });
  const tick = el(
    'label',
    { class: 'tick', for: 'search-prompts' },
    prompts,
    'Also what the game master told the players',
  );
  const form = el(
    'form',
    { class: 'search', role: 'search', 'aria-label': 'Search what players wrote' },
    el(
      'div',
      { class: 'field' },
      el('label', { for: 'search-words' }, 'Search what players wrote'),
      el('div', { class: 'search-box' }, words, el('button', { class: 'button' }, 'Search')),
    ),
    tick,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const params = new URLSearchParams(
      [...new URLSearchParams(location.search)].filter(([name]) => SCOPE.includes(name)),
    );
    if (!words.value.trim()) return go(params.size ? `/results?${params}` : '/results');
    params.set('words', words.value.trim());
    if (prompts.checked) params.set('prompts', '1');
    go(`/results?${params}`);
  });
  prompts.addEventListener('change', () => form.requestSubmit());
  const update = (params) => {
    words.value = params.get('words') ?? '';
    prompts.checked = params.has('prompts');
    tick.hidden = !params.has('words');
  };
  return { form, update };
}
