import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '#files/replace-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import { stateFolder } from '../files/user-folders.ts';
import { type Answers, answersSchema, hasPassword } from './answers.ts';

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
