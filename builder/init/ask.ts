import { ReadStream } from 'node:tty';
import { showCursor } from '#terminal/live-rows.ts';
import { cancel } from '../progress/reporter.ts';
import type { Answers } from './answers.ts';
import type { DraftFile } from './draft.ts';
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
    return await askWith(new Prompts(facts.input, facts.output, end), answers, known, facts);
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

async function askWith(
  prompts: Prompts,
  answers: Answers,
  known: Answers,
  facts: Questionnaire,
): Promise<Answers> {
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
