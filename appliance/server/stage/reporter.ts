import { z } from 'zod';
import type { NeededInput } from '#contract/needed-input.ts';
import type { Amount } from '#contract/text/amount.ts';
import { inLanguage, type Language, type Text } from '#contract/text/language.ts';

/** Receives the progress of a stage. Must not receive secrets: consoles and a web page show it. */
export interface Reporter {
  /** Sets the line that describes the current action. */
  say(line: string): void;
  /** Says that the setup goes on only when the administrator acts; the line says how. */
  waitFor(what: NeededInput, line: string): void;
  /** Shows a progress bar until the next line. */
  progress(amount: Amount): void;
  /** Records a warning for the final report. */
  warn(warning: BilingualWarning): void;
}

/** Reports nothing. */
export const silentReporter: Reporter = {
  say: () => {},
  waitFor: () => {},
  progress: () => {},
  warn: () => {},
};

/** The category of a warning. Programs compare it instead of the text. */
export const warningKinds = [
  'alert',
  'certificate',
  'client-proxy',
  'clock',
  'closed-port',
  'component',
  'console',
  'disk',
  'disk-low',
  'docker',
  'ignored-fields',
  'kernel',
  'login',
  'model-missing',
  'model-not-shared',
  'model-slow',
  'models-hosted-only',
  'name-resolution',
  'provider',
  'release-expired',
  'route',
  'smoke',
  'ssh-key',
  'ssh-unproved',
  'swap',
  'update',
  'webhook',
  /** A warning of another release, with an unknown kind or none. */
  'other',
] as const;
type WarningKind = (typeof warningKinds)[number];

/** A remark for the administrator about something that did not fail. */
export interface Warning {
  readonly kind: WarningKind;
  /** What the warning is about: a model, a host, a file, a user. */
  readonly subject: string;
  /** For users. May change between releases. */
  readonly text: string;
}

/** A warning as it is found, for a reader of each language. */
export interface BilingualWarning extends Omit<Warning, 'text'> {
  readonly text: Text;
}

/** Returns the line that says a warning while stages run, in the language of this process. */
export function warningLine({ en, zh }: Text): string {
  return inLanguage({ en: `warning: ${en}`, zh: `警告：${zh}` });
}

/** Returns a warning to store, in the language of the site. */
export function storedWarning(
  { kind, subject, text }: BilingualWarning,
  language: Language = 'en',
): Warning {
  return { kind, subject, text: inLanguage(text, language) };
}

/** Parses a stored warning. Older releases stored only the text. */
export const warningSchema = z.union([
  z.string().transform((text): Warning => ({ kind: 'other', subject: '', text })),
  z.object({ kind: z.enum(warningKinds).catch('other'), subject: z.string(), text: z.string() }),
]);

/** Tells whether two warnings say the same of the same subject. */
export function isSameWarning(one: Warning, other: Warning): boolean {
  return one.kind === other.kind && one.subject === other.subject && one.text === other.text;
}
