// Choosing which instance a table plays, where the server allows it.
import { el } from '/web/core/dom.js';

const COMPANY_TEXTS = {
  me: {
    summary: 'Choose the instance (the game is then not counted)',
    dropped: 'You take a seat now: the instance you chose is not kept. Choose it again below if you still want it.',
    words:
      'You get a random instance because its kind often is the answer. If you choose it, you know which kind of instance this is, and the game is not counted.',
  },
  others: {
    summary: 'Choose the instance',
    dropped: 'Others play now: the instance you chose is not kept. Choose it again below if you want them to play it.',
    words:
      'The people you invite are not told what you choose here. Do not tell them: the kind of instance often is the answer.',
  },
};

const DROPPED_TEXT = 'Only programs play now: the instance you chose is not kept. Choose it again.';

/**
 * Which instance is played: any, unless the reader chooses. In the open when only programs play; folded, with what it
 * means, when people do. `changed` is called after a choice.
 */
export function instanceChooser(id, changed) {
  const experiment = el('select', { id: `${id}-experiment`, name: 'experiment' });
  const number = el('select', { id: `${id}-instance`, name: 'instance' });
  const field = (label, select) => el('div', { class: 'field' }, el('label', { for: select.id }, label), select);
  const fields = el('div', { class: 'seats which' }, field('Experiment', experiment), field('Instance', number));
  const summary = el('summary');
  const words = el('p', { class: 'hint' });
  const folded = el('details', { class: 'settings' }, summary, words);
  const node = el('div', {});
  let offered = [];
  let company = null;
  const note = el('p', { class: 'hint', role: 'status' });

  const any = (select, options) => select.replaceChildren(el('option', { value: '' }, 'any'), ...options);
  function numbers() {
    const count = offered.find(({ name: each }) => each === experiment.value)?.instances ?? 0;
    any(
      number,
      Array.from({ length: count }, (_, index) => el('option', { value: String(index) }, String(index))),
    );
    number.disabled = count === 0;
  }
  function forget() {
    experiment.value = '';
    numbers();
  }
  experiment.addEventListener('change', () => {
    numbers();
    note.textContent = '';
    changed();
  });

  return {
    node,
    /** Offer a variant's experiments. */
    offer(experiments) {
      offered = experiments;
      node.hidden = offered.length === 0;
      any(
        experiment,
        offered.map(({ name: each, title }) => el('option', { value: each }, title)),
      );
      numbers();
    },
    /** Say who sits at the table: "me" among others, only "others", or "programs". A choice does not move along. */
    company(now) {
      if (now === company) return;
      company = now;
      note.textContent = experiment.value ? (COMPANY_TEXTS[now]?.dropped ?? DROPPED_TEXT) : '';
      forget();
      if (now === 'programs') return node.replaceChildren(fields, note);
      summary.textContent = COMPANY_TEXTS[now].summary;
      words.textContent = COMPANY_TEXTS[now].words;
      folded.open = false;
      folded.append(fields);
      node.replaceChildren(note, folded);
    },
    /** What to ask the server for. */
    chosen: () => ({
      ...(experiment.value && { experiment: experiment.value }),
      ...(number.value && { instance: Number(number.value) }),
    }),
  };
}
