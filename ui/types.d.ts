// Types that several modules of the web client name: what the server sends, and what a game's widget gives. Not served.

/** A field of a form as a reply format declares it; a widget's field has whatever its widget needs besides. */
interface Field {
  name: string;
  kind: string;
  label: string;
  private?: boolean;
  optional?: boolean;
  [detail: string]: any;
}

interface Form {
  name?: string;
  title: string;
  submit: string;
  fields: Field[];
  either?: Form[];
}

/** What a seat is asked now. */
interface Ask {
  id: string;
  form: Form;
  draft?: Record<string, string>;
  reminders?: number;
  why?: string;
}

/** A field on the page. */
interface Control {
  name: string;
  node: HTMLElement;
  read(): string;
  write(value: string): void;
  /** What is wrong with a value, or null. */
  validate(value: string): string | null;
  /** Its own buttons send the form. */
  submits?: boolean;
  /** It is a box of several lines: Enter does not send. */
  multiline?: boolean;
  /** Enter in its box sends the form, or goes on to the next field. */
  enterSends?: boolean;
}

interface FieldContext {
  /** For labels; unique on the page. */
  id: string;
  /** The form has no other field. */
  alone: boolean;
  /** The form has no other field but notes to oneself. */
  single: boolean;
  /** The form's fields by name. */
  controls: Record<string, Control>;
  /** What lies in front of the seat. */
  exhibits: Exhibit[];
  /** What the seat is to reach, as its page says it; empty without a goal. */
  goal: string;
  /** What another seat has said in its own words, in order; empty for what is not a seat. */
  statements: (seat: string) => string[];
}

/** Something to look at: `title` and content of one kind. */
interface Exhibit {
  title: string;
  [kind: string]: any;
}

/** A module in `games/FAMILY/web/`. */
interface WidgetModule {
  createField?(field: Field, context: FieldContext): Control;
  drawExhibit?(content: any, title: string): Node;
}

/** What a page of a game knows; the server sends parts of it as they change. */
interface PageState {
  lines: any[];
  [part: string]: any;
}

interface Turn {
  who?: string;
  text?: string;
  since: number;
  clock?: boolean;
  loading?: number | null;
  limit?: TurnLimit;
}

/** How long the reader has for a reply: until a time in UTC milliseconds, of so many seconds; what happens then. */
interface TurnLimit {
  until: number;
  seconds: number;
  rule: 'program' | 'abandon' | 'unsaid';
  extended: boolean;
}
