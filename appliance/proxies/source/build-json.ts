import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** Where the values of the top level are, as offsets. The key `''` stands for the whole text. */
export type Outline = ReadonlyMap<string, Section>;

interface Section {
  readonly key: number;
  readonly value: number;
  end: number;
  /** Where the items are, if the value is a list. */
  readonly items: number[];
}

interface Built {
  readonly value: unknown;
  readonly outline: Outline;
  readonly findings: readonly { readonly offset: number; readonly message: string }[];
}

type Container = Record<string, unknown> | unknown[];

/** Errors to keep; the first ones are shown. */
const maxFindings = 20;

/**
 * Parses JSON with comments and trailing commas. A tree with the position of every value would take
 * a hundred times the memory of the text.
 */
export function buildJson(text: string): Built {
  return new JsonBuilder(text).build();
}

class JsonBuilder {
  readonly #text: string;
  readonly #findings: { offset: number; message: string }[] = [];
  readonly #outline = new Map<string, Section>();
  readonly #open: Container[] = [];
  /** The key of the next value of each open object. */
  readonly #keys: { name: string; offset: number }[] = [];
  #root: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  build(): Built {
    const options = { allowTrailingComma: true };
    visit(
      this.#text,
      {
        onObjectBegin: (offset) => this.#begin({}, offset),
        onObjectProperty: (name, offset) => this.#name(name, offset),
        onObjectEnd: (offset) => this.#end(offset),
        onArrayBegin: (offset) => this.#begin([], offset),
        onArrayEnd: (offset) => this.#end(offset),
        onLiteralValue: (value, offset, length) => {
          this.#add(value, offset);
          if (this.#open.length === 1) this.#close(offset + length);
        },
        onError: (error, offset) => this.#report(offset, wording(error)),
      },
      options,
    );
    return { value: this.#root, outline: this.#outline, findings: this.#findings };
  }

  #begin(container: Container, offset: number): void {
    this.#add(container, offset);
    this.#open.push(container);
    this.#keys.push({ name: '', offset });
  }

  #end(offset: number): void {
    this.#open.pop();
    this.#keys.pop();
    if (this.#open.length === 1) this.#close(offset + 1);
  }

  /** Notes a key. Programs use different ones of two; assigning `__proto__` would hide the key. */
  #name(name: string, offset: number): void {
    const open = this.#open.at(-1);
    if (open && (Object.hasOwn(open, name) || name === '__proto__')) {
      this.#report(offset, 'duplicate or forbidden key');
    }
    this.#keys[this.#keys.length - 1] = { name, offset };
  }

  #add(value: unknown, offset: number): void {
    const [open, key] = [this.#open.at(-1), this.#keys.at(-1)];
    if (open === undefined) {
      this.#root = value;
      this.#outline.set('', { key: offset, value: offset, end: this.#text.length, items: [] });
    } else if (Array.isArray(open)) {
      if (this.#open.length === 2) this.#section()?.items.push(offset);
      open.push(value);
    } else if (key && key.name !== '__proto__') {
      open[key.name] = value;
      if (this.#open.length > 1) return;
      const section = { key: key.offset, value: offset, end: this.#text.length, items: [] };
      this.#outline.set(key.name, section);
    }
  }

  /** Returns the section that is open. */
  #section(): Section | undefined {
    return this.#outline.get(this.#keys[0]?.name ?? '');
  }

  #close(end: number): void {
    const section = this.#section();
    if (section) section.end = end;
  }

  #report(offset: number, message: string): void {
    if (this.#findings.length < maxFindings) this.#findings.push({ offset, message });
  }
}

/** Converts `CommaExpected` to `comma expected`. */
function wording(error: ParseErrorCode): string {
  return printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
}
