import { type HubFlags, hubFromFlags } from '#probe/hub/hub-from-flags.ts';
import { askPassphrase } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';
import { readCa } from './read-ca.ts';

/** Options of `landfall probe hub` on a laptop. */
export interface BuilderHubFlags extends HubFlags {
  readonly ca?: string;
}

/** Sends a request for hosted inference and prints the result. */
export async function probeHubAction(
  context: CommandContext,
  model: string,
  flags: BuilderHubFlags,
): Promise<void> {
  const { env, interactive, stdout } = context;
  const ask = (question: string) => (interactive ? () => askPassphrase(question) : undefined);
  const askToken = ask('Access token of the hub');
  const { text, exitCode } = await hubFromFlags(model, flags, {
    ca: await readCa(context, flags.ca),
    route: env,
    env,
    askPassword: ask('Password of the proxy'),
    token: async () => env.HF_TOKEN || (await askToken?.()),
  });
  stdout.write(`${text}\n`);
  context.setExitCode(exitCode);
}
