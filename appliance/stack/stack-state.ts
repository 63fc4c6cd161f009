import { componentOf, serviceNames } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { siteFile } from '#contract/server-paths.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Host } from '../host/host.ts';
import { readJsonFile } from '../host/json-file.ts';
import type { ServiceState } from './compose.ts';

/** The current state of the stack, or why Docker does not return it. Fields of `status --json`. */
export type StackState = { readonly parts: readonly ServiceState[] } | { readonly engine: string };

/** Seconds. A working Docker responds within one second. */
const timeout = 10;

const label = (name: string) => `com.docker.compose.${name}`;
/** `oneoff` marks containers of `docker compose run`, which are not expected to be up. */
const format = [
  `{{.Label "${label('service')}"}}`,
  '{{.State}}',
  `{{.Label "${label('oneoff')}"}}`,
  '{{.Status}}',
].join('\t');

/** Reads the state of the components from Docker. Must be run as root. Changes nothing. */
export async function stackState(host: Host): Promise<StackState> {
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

/** Parses `Up 5 minutes (healthy)` or `Up 2 seconds (health: starting)`; empty without a health check. */
function healthIn(status: string): string {
  return /\((?:health: )?(starting|healthy|unhealthy)\)/.exec(status)?.[1] ?? '';
}

/** Returns the components in the order of the site. Components without a container are `missing`. */
function withMissing(found: readonly ServiceState[], wanted: readonly string[]): ServiceState[] {
  const others = found.filter(({ name }) => !wanted.includes(name));
  const parts = wanted.map(
    (name) => found.find((part) => part.name === name) ?? { name, state: 'missing', health: '' },
  );
  return [...parts, ...others];
}

/** Returns the services that run permanently, by name in `compose.yaml`; none if the site is unreadable. */
async function wantedParts(host: Host): Promise<string[]> {
  const site = await readSite(host);
  if (!site) return [];
  return serviceNames.filter(
    (name) => componentOf(name).runs !== 'on-timer' && isEnabled(site, name),
  );
}

async function readSite(host: Host): Promise<Site | undefined> {
  const site = await readJsonFile(host, siteFile, siteSchema);
  return site && applyVariables(site);
}

/** Returns the last line of the `docker` command's output, which has the cause of the failure. */
function reasonOf({ code, message, problems }: LandfallError): string {
  if (code === 'TOOL_MISSING') return message;
  return plainLine(
    problems.at(-1)?.message ?? `no response within ${formatDuration(timeout * 1000)}`,
  );
}
