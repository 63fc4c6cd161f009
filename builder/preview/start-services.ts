import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { compose } from './compose.ts';
import type { Preview } from './preview.ts';

/** Seconds. The first start of the chat UI takes minutes on two small cores. */
const startSeconds = 900;

/**
 * Starts the containers of a preview and waits until they are healthy.
 * @throws LandfallError STACK_UNHEALTHY
 */
export async function startServices(preview: Preview): Promise<void> {
  const { project, docker, folder, reporter } = preview;
  const up = ['up', '--detach', '--remove-orphans', '--wait', '--wait-timeout', `${startSeconds}`];
  const healthy = new Set<string>();
  const end = await compose(docker, folder, project, up, (line) => {
    const [, service] = / Container \S+-(\w+)-1\s+Healthy$/.exec(line) ?? [];
    if (!service || healthy.has(service)) return;
    healthy.add(service);
    reporter.note(`${service} is healthy`);
  });
  if (end.code === 0) {
    // A gateway that was already running still has its previous settings.
    await compose(docker, folder, project, ['exec', '-T', 'gateway', 'kill', '-HUP', '1']);
    return;
  }
  throw new LandfallError('STACK_UNHEALTHY', 'a component of the preview did not start', {
    hint: `See the logs: docker compose --project-name ${project} logs --tail 50`,
    problems: end.stderr
      .split('\n')
      .slice(-4)
      .map((line) => ({ message: plainLine(line) })),
  });
}
