import { componentOf, serviceNames } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { siteFile } from '#contract/server-paths.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { ServiceState } from './services.ts';

/** What the container engine says of the stack now, or why it says nothing. */
export type StackNow = { readonly parts: readonly ServiceState[] } | { readonly engine: string };

/** An engine that works answers within one. Seconds. */
const timeout = 10;

const label = (name: string) => `com.docker.compose.${name}`;
/** What is started once and ends, as `docker compose run` does, is no part that should be up. */
const format = [
  `{{.Label "${label('service')}"}}`,
  '{{.State}}',
  `{{.Label "${label('oneoff')}"}}`,
  '{{.Status}}',
].join('\t');

/** Asks the container engine, which takes root, what the parts of the stack do. Changes nothing. */
export async function partsNow(host: Host): Promise<StackNow> {
  try {
    const project = `label=${label('project')}=landfall`;
    const { stdout } = await host.run(
      'docker',
      ['ps', '--all', '--filter', project, '--format', format],
      { seconds: timeout },
    );
    return { parts: withMissing(stdout.split('\n').flatMap(parse), await wantedParts(host)) };
  } catch (error) {
    if (error instanceof LandfallError) return { engine: reasonOf(error) };
    throw error;
  }
}

function parse(line: string): ServiceState[] {
  const [name = '', state = '', oneoff = '', status = ''] = line
    .split('\t')
    .map((cell) => plainLine(cell));
  if (name === '' || oneoff === 'True') return [];
  return [{ name, state, health: healthIn(status) }];
}

/** `Up 5 minutes (healthy)`, `Up 2 seconds (health: starting)`; nothing without a health check. */
function healthIn(status: string): string {
  return /\((?:health: )?(starting|healthy|unhealthy)\)/.exec(status)?.[1] ?? '';
}

/** In the order of what the site wants; what the engine does not know at all is missing. */
function withMissing(found: readonly ServiceState[], wanted: readonly string[]): ServiceState[] {
  const others = found.filter(({ name }) => !wanted.includes(name));
  const parts = wanted.map(
    (name) => found.find((part) => part.name === name) ?? { name, state: 'missing', health: '' },
  );
  return [...parts, ...others];
}

/** What runs all the time, by the names of `compose.yaml`; nothing where the site cannot be read. */
async function wantedParts(host: Host): Promise<string[]> {
  const site = await readSite(host);
  if (!site) return [];
  return serviceNames.filter(
    (name) => componentOf(name).runs !== 'on-timer' && isEnabled(site, name),
  );
}

async function readSite(host: Host): Promise<Site | undefined> {
  try {
    return applyVariables(siteSchema.parse(JSON.parse((await readText(host, siteFile)) ?? '')));
  } catch {
    return undefined;
  }
}

/** What the engine's client wrote last says more than that it failed. */
function reasonOf({ code, message, problems }: LandfallError): string {
  if (code === 'TOOL_MISSING') return message;
  return plainLine(
    problems.at(-1)?.message ?? `no answer within ${formatDuration(timeout * 1000)}`,
  );
}
