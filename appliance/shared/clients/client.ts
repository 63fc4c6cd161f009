import type { Text } from '#contract/text/language.ts';

/** The APIs in which clients send requests to the relay. */
export const clientApis = ['openai', 'anthropic', 'gemini', 'ollama'] as const;
export type ClientApi = (typeof clientApis)[number];

/** What a snippet contains of a server. */
export interface Values {
  /** The base URL in the shape of the client. */
  readonly base: string;
  readonly key: string;
  readonly model: string;
  /** Tokens of the context of a model of this server; absent for a model of a provider. */
  readonly context?: number | undefined;
}

/** Returns how many tokens of a context are for an answer. */
export const answerIn = (context: number): number => Math.floor(context / 8);

/** A part of the settings of a client: lines to paste, or steps in its window. */
export type Part =
  | {
      /** Where the lines belong, as Markdown. Absent: a shell, or a program. */
      readonly file?: Text;
      readonly language: 'sh' | 'toml' | 'json' | 'yaml' | 'js' | 'python' | '';
      /** Returns an empty text if nothing is to write for these values. */
      readonly lines: (values: Values) => string;
    }
  | { readonly steps: (values: Values) => Text };

/** The settings of a client for one API. */
interface Variant {
  readonly api: ClientApi;
  /** What the client expects after the root of the API, such as `/v1`. */
  readonly suffix: string;
  readonly parts: readonly Part[];
}

/** How the settings are known: the version that ran against the relay, or where they were read. */
type Evidence =
  | { readonly tried: string; readonly date: string }
  | { readonly sources: readonly string[]; readonly date: string };

export const clientGroups = ['agents', 'editors', 'chats', 'libraries'] as const;

/** A program that uses the relay. */
export interface Client {
  /** Name on the command line, and of its relay key. */
  readonly id: string;
  readonly title: Text;
  readonly group: (typeof clientGroups)[number];
  /** Whether it is of no use with a model that calls no tools. */
  readonly needsTools: boolean;
  /** The preferred one first. */
  readonly variants: readonly [Variant, ...Variant[]];
  /** What else is to know, and what does not work. */
  readonly notes: readonly Text[];
  readonly evidence: Evidence;
  /** Returns a link that opens the app with the settings. Its format is documented, see the evidence. */
  readonly link?: (values: Values) => string;
}

/** The day on which the versions of decision 81 ran. */
export const measured = '2026-11-29';
/** The day on which `test/real/clients` ran with these versions. */
export const ran = '2026-11-30';
/** The day on which the sources were read. */
export const read = '2026-11-30';
