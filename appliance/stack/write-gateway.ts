import type { Context } from '../stage/stage.ts';
import { renderForServer } from './render/for-server.ts';
import { writeStack } from './write-stack.ts';

/**
 * Writes the gateway's server blocks, which depend on the installed certificate. The gateway reads them
 * at its next reload.
 * @throws LandfallError STATE_INVALID
 */
export async function writeGateway(context: Context): Promise<void> {
  const files = await renderForServer(context);
  await writeStack(
    context.host,
    files.filter(({ path }) => path.startsWith('gateway/conf.d/')),
  );
}
