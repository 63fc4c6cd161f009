import { components } from '#contract/components.ts';
import type { FieldProblem } from '#contract/errors.ts';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import type { OverrideService } from './compose-schema.ts';

/** A violation, with the path of its value below the service. */
type Violation = readonly [at: ReadonlyArray<string | number>, message: string, hint: string];
/** A rule for services. Yields every violation. */
type ServiceRule = (service: OverrideService, name: string) => Iterable<Violation>;

const { http, https } = components.gateway.publicPorts;
/**
 * The only ports that a service may publish publicly (DESIGN, decision 7): those of the gateway. A site may
 * move one of them; an engine node has one more, which the firewall opens for the first server only.
 */
const publicPorts: readonly string[] = [
  ...[http, https, enginePort].map((port) => `${port}:${port}`),
  `\${GATEWAY_HTTPS:-${https}}:${https}`,
];
/** Flags such as HIDE_USER_API_KEY=1 are not secrets. */
const harmlessValue = /^(|0|1|true|false|\$\{\w+(:?\?[^}]*)?\})$/i;
const secretName = /(_KEY|_CODE|PASSWORD|PASSWD|SECRET|TOKEN)$/i;
/** GPU devices. Other devices give access to the host. */
const harmlessDevice = /^\/dev\/(kfd|dri)(:|$)/;
/** Files below the server's state folder, without `..`. */
const statePath = /^\$\{LANDFALL_STATE:-\/var\/lib\/landfall\}\/(?!.*\.\.)[\w./-]+$/;

/** Returns whether a file is in the server's state folder or in the compose folder. */
export function isOwnFile(path: string): boolean {
  return statePath.test(path) || /^\.\/(?!.*\.\.)/.test(path);
}

/** Requires images that the server already has: Compose must not pull or build them. */
function* neverPulled(service: OverrideService, name: string): Generator<Violation> {
  if (service.pull_policy !== 'never') {
    yield [[], `${name} may be pulled`, 'Add pull_policy: never.'];
  }
  if ('build' in service) {
    const hint = 'Build the image beforehand and add it to appliance.yaml.';
    yield [['build'], `${name} is built on the server`, hint];
  }
}

/** Rejects host namespaces and privileged mode. */
function* keptInside(service: OverrideService, name: string): Generator<Violation> {
  for (const key of ['network_mode', 'pid', 'ipc'] as const) {
    if (service[key] !== 'host') continue;
    yield [[key], `${name} shares the host's ${key}`, `Remove ${key}: host.`];
  }
  if (service.privileged) {
    const hint = 'Remove it, and add the required capability with cap_add.';
    yield [['privileged'], `${name} is privileged`, hint];
  }
}

/** Rejects strong capabilities, disabled confinement and devices other than GPUs. */
function* fewRights(service: OverrideService, name: string): Generator<Violation> {
  const strong = /^(CAP_)?(ALL|SYS_\w+|NET_ADMIN|NET_RAW|DAC_\w+|BPF|PERFMON|MKNOD)$/i;
  for (const [index, capability] of service.cap_add.entries()) {
    if (!strong.test(capability)) continue;
    const message = `${name} adds the capability ${capability}`;
    yield [['cap_add', index], message, 'Remove it from cap_add.'];
  }
  for (const [index, option] of service.security_opt.entries()) {
    if (!/unconfined|no-new-privileges[:=]false|disable/.test(option)) continue;
    const hint = 'Remove it: it weakens the isolation of the container.';
    yield [['security_opt', index], `${name} runs with ${option}`, hint];
  }
  for (const [index, device] of service.devices.entries()) {
    if (typeof device === 'string' && harmlessDevice.test(device)) continue;
    const message = `${name} uses a host device that is not a GPU`;
    yield [['devices', index], message, 'Remove it; only /dev/kfd and /dev/dri are allowed.'];
  }
}

/** Rejects ports that are published on other addresses than loopback. */
function* loopbackOnly(service: OverrideService, name: string): Generator<Violation> {
  for (const [index, port] of service.ports.entries()) {
    const text =
      typeof port === 'string' ? port : `${port.host_ip ?? ''}:${port.published}:${port.target}`;
    const bare = text.replace(/^(?:(?:\$\{GATEWAY_ADDRESS:-)?0\.0\.0\.0\}?|\[::\]):/, '');
    if (/^(127\.0\.0\.1|\[::1\]):/.test(text) || (name === 'gateway' && publicPorts.includes(bare)))
      continue;
    const message = `${name} publishes ${text} publicly and bypasses the server's firewall`;
    const hint = `Write 127.0.0.1:${text.replace(/^:/, '')} and serve it through the gateway.`;
    yield [['ports', index], message, hint];
  }
}

/** Rejects mounts of host paths and anonymous volumes. */
function* noHostPaths(service: OverrideService, name: string): Generator<Violation> {
  for (const [index, volume] of service.volumes.entries()) {
    const source = sourceOf(volume);
    if (/^[A-Za-z0-9][\w.-]*$/.test(source) || isOwnFile(source)) continue;
    const what = source ? `the host path ${source}` : 'an anonymous volume';
    const hint = 'Use a named volume, or a file in the compose folder, such as ./folder/file.';
    yield [['volumes', index], `${name} mounts ${what}`, hint];
  }
}

/** Returns the source of a mount. A default value in braces may contain a colon. */
function sourceOf(volume: OverrideService['volumes'][number]): string {
  if (typeof volume !== 'string') return volume.source ?? '';
  return /^((?:\$\{[^}]*\}|[^:])*)/.exec(volume)?.[1] ?? '';
}

/** Rejects secrets in the environment: everyone who has the bundle can read them. */
function* noSecrets({ environment }: OverrideService, name: string): Generator<Violation> {
  const entries = Array.isArray(environment)
    ? environment.map((text, index) => [index, ...text.split(/=(.*)/s)] as const)
    : Object.entries(environment).map(([key, value]) => [key, key, String(value ?? '')] as const);
  for (const [at, key = '', value = ''] of entries) {
    if (!secretName.test(key) || harmlessValue.test(value)) continue;
    const hint = `Write ${key}=\${${key}}; the server generates the value.`;
    yield [['environment', at], `${name} sets ${key} to a literal value`, hint];
  }
}

/** The rules for services of an override file, whose pull policy compose.yaml has. */
const overrideRules: readonly ServiceRule[] = [
  keptInside,
  fewRights,
  loopbackOnly,
  noHostPaths,
  noSecrets,
];

/**
 * Returns the violations of a service.
 * @param isOverride whether the service is in an override file
 */
export function checkService(
  service: OverrideService,
  name: string,
  isOverride: boolean,
): FieldProblem[] {
  const rules = isOverride ? overrideRules : [neverPulled, ...overrideRules];
  return rules.flatMap((rule) =>
    [...rule(service, name)].map(([at, message, hint]) => {
      return { at: ['services', name, ...at], message, hint };
    }),
  );
}
