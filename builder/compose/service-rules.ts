import { byComponent, componentNames, componentOf } from '#contract/component-names.ts';
import type { OverrideService } from './compose-schema.ts';
import type { StackProblem } from './stack-problem.ts';

type Found = StackProblem | undefined;
/** A rule for services. Returns every violation. */
export type ServiceRule = (service: OverrideService, name: string) => Found[];

/** The only services that may publish ports publicly, with those ports (DESIGN, decision 7). */
const publicPorts: Readonly<Record<string, readonly string[]>> = byComponent(
  componentNames,
  (name) => componentOf(name).publicPorts?.map((port) => `${port}:${port}`) ?? [],
);
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
export function neverPulled(service: OverrideService, name: string): Found[] {
  const at = ['services', name];
  return [
    service.pull_policy === 'never'
      ? undefined
      : { at, message: `${name} may be pulled`, hint: 'Add pull_policy: never.' },
    'build' in service
      ? {
          at: [...at, 'build'],
          message: `${name} is built on the server`,
          hint: 'Build the image beforehand and add it to appliance.yaml.',
        }
      : undefined,
  ];
}

/** Rejects host namespaces and privileged mode. */
export function keptInside(service: OverrideService, name: string): Found[] {
  const hostModes = (['network_mode', 'pid', 'ipc'] as const).map((key) =>
    service[key] === 'host'
      ? {
          at: ['services', name, key],
          message: `${name} shares the host's ${key}`,
          hint: `Remove ${key}: host.`,
        }
      : undefined,
  );
  const privileged = service.privileged
    ? {
        at: ['services', name, 'privileged'],
        message: `${name} is privileged`,
        hint: 'Remove it, and add the required capability with cap_add.',
      }
    : undefined;
  return [...hostModes, privileged];
}

/** Rejects strong capabilities, disabled confinement and devices other than GPUs. */
export function fewRights(service: OverrideService, name: string): Found[] {
  const at = ['services', name];
  const strong = service.cap_add.map((capability, index) =>
    /^(CAP_)?(ALL|SYS_\w+|NET_ADMIN|NET_RAW|DAC_\w+|BPF|PERFMON|MKNOD)$/i.test(capability)
      ? {
          at: [...at, 'cap_add', index],
          message: `${name} adds the capability ${capability}`,
          hint: 'Remove it from cap_add.',
        }
      : undefined,
  );
  const open = service.security_opt.map((option, index) =>
    /unconfined|no-new-privileges[:=]false|disable/.test(option)
      ? {
          at: [...at, 'security_opt', index],
          message: `${name} runs with ${option}`,
          hint: 'Remove it: it weakens the isolation of the container.',
        }
      : undefined,
  );
  const devices = service.devices.map((device, index) =>
    typeof device === 'string' && harmlessDevice.test(device)
      ? undefined
      : {
          at: [...at, 'devices', index],
          message: `${name} uses a host device that is not a GPU`,
          hint: 'Remove it; only /dev/kfd and /dev/dri are allowed.',
        },
  );
  return [...strong, ...open, ...devices];
}

/** Rejects ports that are published on other addresses than loopback. */
export function loopbackOnly(service: OverrideService, name: string): Found[] {
  return service.ports.map((port, index) => {
    const text =
      typeof port === 'string' ? port : `${port.host_ip ?? ''}:${port.published}:${port.target}`;
    const bare = text.replace(/^(?:0\.0\.0\.0|\[::\]):/, '');
    if (/^(127\.0\.0\.1|\[::1\]):/.test(text) || publicPorts[name]?.includes(bare))
      return undefined;
    return {
      at: ['services', name, 'ports', index],
      message: `${name} publishes ${text} publicly and bypasses the server's firewall`,
      hint: `Write 127.0.0.1:${text.replace(/^:/, '')} and serve it through the gateway.`,
    };
  });
}

/** Rejects mounts of host paths and anonymous volumes. */
export function noHostPaths(service: OverrideService, name: string): Found[] {
  return service.volumes.map((volume, index) => {
    const source = sourceOf(volume);
    const named = /^[A-Za-z0-9][\w.-]*$/.test(source);
    if (named || isOwnFile(source)) return undefined;
    return {
      at: ['services', name, 'volumes', index],
      message: `${name} mounts ${source ? `the host path ${source}` : 'an anonymous volume'}`,
      hint: 'Use a named volume, or a file in the compose folder, such as ./folder/file.',
    };
  });
}

/** Returns the source of a mount. A default value in braces may contain a colon. */
function sourceOf(volume: OverrideService['volumes'][number]): string {
  if (typeof volume !== 'string') return volume.source ?? '';
  return /^((?:\$\{[^}]*\}|[^:])*)/.exec(volume)?.[1] ?? '';
}

/** Rejects secrets in the environment: everyone who has the bundle can read them. */
export function noSecrets(service: OverrideService, name: string): Found[] {
  const { environment } = service;
  const pairs = Array.isArray(environment)
    ? environment.map((text): [string, string] => {
        const cut = text.indexOf('=');
        return cut === -1 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 1)];
      })
    : Object.entries(environment).map(([key, value]): [string, string] => [
        key,
        String(value ?? ''),
      ]);
  return pairs.map(([key, value], index) =>
    secretName.test(key) && !harmlessValue.test(value)
      ? {
          at: ['services', name, 'environment', Array.isArray(environment) ? index : key],
          message: `${name} sets ${key} to a literal value`,
          hint: `Write ${key}=\${${key}}; the server generates the value.`,
        }
      : undefined,
  );
}
