import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReadStream } from 'node:tty';
import { z } from 'zod';
import { replaceFile } from '#files/replace-file.ts';
import { showCursor } from '#terminal/live-rows.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { stateFolder } from '../../base/files/user-folders.ts';
import { cancel } from '../../base/progress/reporter.ts';
import { type Answers, answersSchema, hasPassword } from './answers.ts';
import { askAll, back, Prompts } from './prompts.ts';
import { type AccessFacts, accessQuestions } from './questions/access.ts';
import { modelQuestions } from './questions/models.ts';
import { type CheckMirrors, type HasClient, networkQuestions } from './questions/network.ts';
import { type ReleaseFacts, releaseQuestions } from './questions/release.ts';
import { texts } from './texts.ts';

/** What the questions depend on. */
interface Questionnaire extends ReleaseFacts, AccessFacts {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Output folder of the command. */
  readonly folder: string;
  readonly draft: DraftFile;
  readonly hasClient: HasClient;
  readonly checkMirrors: CheckMirrors;
}

/**
 * Prompts for the values that no flag sets. Answers are validated when they are given. Esc goes back;
 * Ctrl-C keeps the answers for the next time and ends the program.
 * @throws LandfallError FILE_EXISTS
 */
export async function askForSite(known: Answers, facts: Questionnaire): Promise<Answers> {
  const answers: Answers = { ...known };
  const end = async () => {
    process.removeListener('SIGINT', interrupt);
    return await stop(answers, known, facts);
  };
  /** Between two prompts the terminal sends a signal for Ctrl-C; the next prompt may be open then. */
  const interrupt = () => {
    if (facts.input instanceof ReadStream) facts.input.setRawMode(false);
    facts.output.write(showCursor);
    end().catch(() => process.exit(1));
  };
  process.on('SIGINT', interrupt);
  try {
    const prompts = new Prompts(facts.input, facts.output, end);
    prompts.note(texts().intro);
    const resumed = await resume(prompts, facts.draft);
    Object.assign(answers, resumed, known);
    const questions = [
      ...releaseQuestions(facts),
      ...accessQuestions(facts),
      ...networkQuestions(facts.hasClient, facts.checkMirrors),
      ...modelQuestions,
    ];
    const names = Object.keys(resumed).filter((name) => !(name in known));
    await askAll(questions, answers, prompts, new Set(names));
    await facts.draft.write(facts.folder, answers);
    return answers;
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

/** Returns the answers of an interrupted command, if the user wants them. */
async function resume(prompts: Prompts, file: DraftFile): Promise<Answers> {
  const draft = await file.read();
  if (draft === undefined) return {};
  const saved = draft.saved.slice(0, 16).replace('T', ' ');
  const choices = [
    { value: true, label: texts().draftYes(draft.folder) },
    { value: false, label: texts().draftNo },
  ];
  for (;;) {
    const answer = await prompts.select(texts().draft(saved), choices, true);
    if (answer === true) return draft.answers;
    if (answer !== back) {
      await file.remove();
      return {};
    }
  }
}

async function stop(
  answers: Answers,
  known: Answers,
  { draft, folder }: Questionnaire,
): Promise<never> {
  const isNew = Object.keys(answers).some((name) => !(name in known));
  const isKept = isNew && (await draft.write(folder, answers));
  return await cancel(isKept ? texts().kept : 'nothing was written');
}

const draftSchema = z.strictObject({
  saved: z.iso.datetime(),
  /** Output folder of the command. */
  folder: z.string(),
  answers: answersSchema,
});

type Draft = z.infer<typeof draftSchema>;

/** The answers of an interrupted `landfall init`, which the next one offers. */
export class DraftFile {
  readonly #path: string;

  constructor(env: NodeJS.ProcessEnv) {
    this.#path = join(stateFolder(env), 'landfall', 'init.json');
  }

  /** Returns the draft; undefined if there is none, or one of another version. */
  async read(): Promise<Draft | undefined> {
    try {
      return draftSchema.parse(JSON.parse(await readFile(this.#path, 'utf8')));
    } catch {
      return undefined;
    }
  }

  /**
   * Keeps the answers, without the password of a proxy.
   * @returns whether they are kept: a user's disk may be full or read-only
   */
  async write(folder: string, answers: Answers): Promise<boolean> {
    const { proxyUrl, proxyLogin, ...others } = answers;
    const kept = hasPassword(proxyUrl) ? others : answers;
    const draft: Draft = { saved: new Date().toISOString(), folder, answers: kept };
    try {
      await makeFolder(dirname(this.#path), 0o700);
      await replaceFile(this.#path, `${JSON.stringify(draft)}\n`, { mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
