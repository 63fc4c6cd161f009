import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, log, multiselect, select, text } from '@clack/prompts';
import { currentLanguage } from '#contract/text/language.ts';
import { defaultColumns, wrap } from '#contract/text/wrap.ts';
import { columnsOf } from '#terminal/wrap-for.ts';
import type { Answers } from './answers.ts';
import { type AnswerName, flawOf } from './check-answers.ts';
import { withChineseNone } from './chinese-none.ts';
import { texts } from './texts.ts';

/** The reply of a user who wants the previous question. */
export const back = Symbol('back');
type Reply<T> = T | typeof back;

/** A choice of a list, as clack requires it. */
interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

interface TextQuestion {
  readonly message: string;
  /** Example that the prompt shows while the answer is empty. */
  readonly placeholder?: string;
  readonly initialValue?: string | undefined;
  readonly required?: boolean;
  /** Returns what a value means, such as a URL with its scheme. */
  readonly correct?: (answer: string) => string;
  /** Returns why a corrected value is invalid; undefined if it is valid. */
  readonly flaw: (answer: string) => string | undefined;
}

/** Columns of the line that clack draws on the left. */
const noteMargin = 3;

/** Prompts on a terminal. Esc returns `back`; Ctrl-C ends the program through `stop`. */
export class Prompts {
  readonly #streams: { readonly input: Readable; readonly output: Writable };
  readonly #stop: () => Promise<never>;
  #isEscape = false;

  constructor(
    input: NodeJS.ReadableStream,
    output: NodeJS.WritableStream,
    stop: () => Promise<never>,
  ) {
    // clack requires Node's stream classes; the streams of a terminal are instances of them.
    this.#streams = { input: input as Readable, output: withChineseNone(output as Writable) };
    this.#stop = stop;
    // clack reports both keys as a cancellation.
    input.on('keypress', (_text: unknown, key: { readonly name?: string }) => {
      this.#isEscape = key.name === 'escape';
    });
  }

  note(message: string): void {
    log.info(this.#wrapped(message), this.#streams);
  }

  warn(message: string): void {
    log.warn(this.#wrapped(message), this.#streams);
  }

  /** clack wraps questions, but not notes. */
  #wrapped(message: string): string {
    const columns = columnsOf(this.#streams.output) ?? defaultColumns;
    return wrap(message, columns - noteMargin)
      .map((line) => line.trimStart())
      .join('\n');
  }

  async text(question: TextQuestion): Promise<Reply<string>> {
    const { message, placeholder = '', initialValue = '', required = false, flaw } = question;
    const correct = question.correct ?? ((answer: string) => answer.trim());
    const validate = (answer = '') => {
      const value = correct(answer);
      if (value === '') return required ? texts().empty : undefined;
      return flaw(value);
    };
    const options = { ...this.#streams, message, placeholder, initialValue, validate };
    const answer = await this.#replyTo(await text(options));
    if (answer === back) return back;
    const value = correct(answer ?? '');
    if (value !== (answer ?? '').trim()) this.note(texts().understood(value));
    return value;
  }

  async select<T extends string | boolean>(
    message: string,
    choices: ReadonlyArray<Choice<T>>,
    initialValue: T,
  ): Promise<Reply<T>> {
    const options = choices as Parameters<typeof select<T>>[0]['options'];
    const prompt = { ...this.#look(), message, options: [...options], initialValue };
    return await this.#replyTo(await select<T>(prompt));
  }

  async selectSeveral<T extends string>(
    message: string,
    choices: ReadonlyArray<Choice<T>>,
    initialValues: T[] = [],
    required = false,
  ): Promise<Reply<T[]>> {
    const options = choices as Parameters<typeof multiselect<T>>[0]['options'];
    const prompt = { ...this.#look(), message, options: [...options], initialValues, required };
    return await this.#replyTo(await multiselect<T>(prompt));
  }

  async confirm(message: string, initialValue: boolean): Promise<Reply<boolean>> {
    const { yes: active, no: inactive } = texts();
    const prompt = { ...this.#streams, message, initialValue, active, inactive };
    return await this.#replyTo(await confirm(prompt));
  }

  /** clack names the keys below a list in English only; in Chinese, the introduction names them. */
  #look() {
    return { ...this.#streams, showInstructions: currentLanguage() === 'en' };
  }

  async #replyTo<T>(answer: T): Promise<Reply<Exclude<T, symbol>>> {
    if (!isCancel(answer)) return answer as Exclude<T, symbol>;
    return this.#isEscape ? back : await this.#stop();
  }
}

/** A question for one answer. */
export interface Question {
  readonly name: keyof Answers;
  /** Whether it is asked, by the answers to the questions above it. Default: always. */
  readonly applies?: ((answers: Answers) => boolean) | undefined;
  /**
   * Asks, and returns the answer. It may also remove other answers with `undefined`, so that their
   * questions are asked again.
   * @param earlier answers before the user went back, as initial values
   */
  ask(prompts: Prompts, answers: Answers, earlier: Answers): Promise<Reply<Replies>>;
}

export type Replies = { readonly [K in keyof Answers]?: Answers[K] | undefined };

/** Returns a question whose reply is the answer alone. */
export function question<Name extends keyof Answers>(
  name: Name,
  ask: (prompts: Prompts, answers: Answers, earlier: Answers) => Promise<Reply<Answers[Name]>>,
  applies?: Question['applies'],
): Question {
  return {
    name,
    applies,
    ask: async (...inputs) => {
      const reply = await ask(...inputs);
      return reply === back ? back : { [name]: reply };
    },
  };
}

/** Returns a question for a text, which must be valid in its field of site.yaml. */
export function textQuestion(
  name: Exclude<AnswerName, 'dnsProvider' | 'user'>,
  detailsOf: (answers: Answers) => Partial<TextQuestion>,
  applies?: Question['applies'],
): Question {
  return question(
    name,
    (prompts, answers, { [name]: earlier }) => {
      const { initialValue = '', ...details } = detailsOf(answers);
      const flaw = (value: string) => flawOf(name, value);
      const message = name === 'email' ? '' : texts()[name];
      return prompts.text({ message, flaw, initialValue: earlier ?? initialValue, ...details });
    },
    applies,
  );
}

type SelectName =
  | 'memory'
  | 'releaseWay'
  | 'tls'
  | 'httpPort'
  | 'routeWay'
  | 'proxyLogin'
  | 'mirrorsWay';

/**
 * Returns a question with a list of choices.
 * @param labelsOf the label of each answer that is offered
 * @param initialOf the answer that is proposed; default: the first one
 */
export function selectQuestion<Name extends SelectName>(
  name: Name,
  labelsOf: (answers: Answers) => { readonly [Value in NonNullable<Answers[Name]>]?: string },
  applies?: Question['applies'],
  initialOf?: (answers: Answers) => Answers[Name],
): Question {
  return question(
    name,
    (prompts, answers, earlier) => {
      const labels = Object.entries<string>(labelsOf(answers) as Record<string, string>);
      const choices = labels.map(([value, label]) => ({ value, label }));
      const initial = [earlier[name], initialOf?.(answers), choices[0]?.value].find((each) =>
        choices.some(({ value }) => value === each),
      );
      const reply = prompts.select<string>(texts()[name], choices, initial ?? '');
      return reply as Promise<Reply<Answers[Name]>>;
    },
    applies,
  );
}

/**
 * Asks the questions that have no answer yet, in order. Esc goes back to the question before.
 * @param answers the known answers; it receives the others, so that it is complete at any time
 * @param resumed the names of known answers that the user gave at a prompt before
 */
export async function askAll(
  questions: readonly Question[],
  answers: Answers,
  prompts: Prompts,
  resumed: ReadonlySet<string>,
): Promise<void> {
  const earlier: Answers = { ...answers };
  const asked = questions.map(({ name }) => name).filter((name) => resumed.has(name));
  for (;;) {
    const next = questions.find(
      ({ name, applies }) => answers[name] === undefined && (applies?.(answers) ?? true),
    );
    if (next === undefined) return;
    const reply = await next.ask(prompts, answers, earlier);
    if (reply === back) {
      const last = asked.pop();
      if (last !== undefined) delete answers[last];
      continue;
    }
    for (const [name, value] of Object.entries(reply) as [keyof Answers, never][]) {
      if (value === undefined) delete answers[name];
      else answers[name] = earlier[name] = value;
    }
    if (answers[next.name] !== undefined) asked.push(next.name);
  }
}
