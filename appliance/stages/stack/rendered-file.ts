import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { LandfallError } from '#contract/errors.ts';

/** A file of the stack that is generated on the server. */
export interface RenderedFile {
  /** Relative to `/var/lib/landfall/stack`. */
  readonly path: string;
  readonly content: string;
  /** Permission bits, such as 0o400. */
  readonly mode: number;
  /** Numeric user and group of the reader in the container. */
  readonly owner: number;
  /** What counts as its content when changes of it restart the component. Default: the content. */
  readonly watched?: string;
}

const root = 0;

/** Returns a file with secrets, readable for one component only. */
export function secretFile(path: string, content: string, reader: ComponentName): RenderedFile {
  return { path, content, mode: 0o400, owner: componentOf(reader).user ?? root };
}

/** Returns a world-readable file. */
export function plainFile(path: string, content: string): RenderedFile {
  return { path, content, mode: 0o644, owner: root };
}

/**
 * Formats variables as a file that sh and Compose parse the same way: values in single quotes, without
 * escapes. Includes empty values.
 * @throws LandfallError STATE_INVALID for a value that cannot be quoted; the error omits the value
 */
export function envFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${quotable(name, value)}'\n`)
    .join('');
}

/** Reports whether a file of {@link envFile} can have a value. */
export function isQuotable(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be in it
  return !/['\\\u0000-\u001f\u007f]/.test(value);
}

function quotable(name: string, value: string): string {
  if (isQuotable(value)) return value;
  throw new LandfallError(
    'STATE_INVALID',
    `${name} contains a quote, a backslash or a control character`,
    {
      hint: {
        en: `Set it again without these characters: sudo landfall secret set ${name}`,
        zh: `重新设置，不要用这些字符：sudo landfall secret set ${name}`,
      },
    },
  );
}
