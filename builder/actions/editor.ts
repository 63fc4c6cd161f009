import type { Readable, Writable } from 'node:stream';
import type { Choice, EditorContext } from '#editor/choices.ts';
import { unlessCancelled } from '../init/cancellation.ts';
import type { CommandContext } from './context.ts';

/** Returns the context of the editor actions. Prompts only on a terminal; Ctrl-C ends the program. */
export function editorContext(context: CommandContext): EditorContext {
  const { stdin, interactive } = context;
  // clack requires Node's stream classes; the streams of a terminal are instances of them.
  const streams = { input: stdin as Readable, output: context.stderr as Writable };
  return {
    ...context,
    platform: process.platform,
    choose: interactive ? (message, options) => choose(streams, message, options) : undefined,
    askSecret: interactive ? (message) => askSecret(streams, message) : undefined,
  };
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

async function choose(
  streams: Streams,
  message: string,
  options: readonly Choice[],
): Promise<string> {
  const { select } = await import('@clack/prompts');
  return await unlessCancelled(await select({ ...streams, message, options: [...options] }));
}

async function askSecret(streams: Streams, message: string): Promise<string> {
  const { password } = await import('@clack/prompts');
  const validate = (given = '') => (given === '' ? 'The password is empty.' : undefined);
  return await unlessCancelled(await password({ ...streams, message, validate }));
}
