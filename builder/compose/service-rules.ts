import { byComponent, componentNames, componentOf } from '#contract/component-names.ts';
import type { OverrideService } from './compose-schema.ts';
import type { StackProblem } from './stack-problem.ts';

type Found = StackProblem | undefined;
/** What a service must not do, whatever it runs; gives every place where it does. */
export type ServiceRule = (service: OverrideService, name: string) => Found[];

/** Only these services may publish ports to the world, and only these ports (DESIGN, decision 7). */
const publicPorts: Readonly<Record<string, readonly string[]>> = byComponent(
  componentNames,
  (name) => componentOf(name).publicPorts?.map((port) => `${port}:${port}`) ?? [],
);
/** Switches such as HIDE_USER_API_KEY=1 are no secrets. */
const harmlessValue = /^(|0|1|true|false|\$\{\w+(:?\?[^}]*)?\})$/i;
const secretName = /(_KEY|_CODE|PASSWORD|PASSWD|SECRET|TOKEN)$/i;
/** A GPU; anything else is a way to the host. */
const harmlessDevice = /^\/dev\/(kfd|dri)(:|$)/;
/** What the server makes for its own stack, and nothing above it. */
const statePath = /^\$\{LANDFALL_STATE:-\/var\/lib\/landfall\}\/(?!.*\.\.)[\w./-]+$/;

/** Whether a file is the server's own, or lies beside the compose file. */
export function isOwnFile(path: string): boolean {
  return statePath.test(path) || /^\.\/(?!.*\.\.)/.test(path);
}

/** Compose takes images as they are on the server; nothing is fetched or built there. */
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
          hint: 'Build the image before and name it in appliance.yaml.',
        }
      : undefined,
  ];
}

/** Nothing that makes a container as good as the host. */
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
        hint: 'Add the one capability that it needs with cap_add.',
      }
    : undefined;
  return [...hostModes, privileged];
}

/** Rights and devices that a container has no use for here, or that undo its walls. */
export function fewRights(service: OverrideService, name: string): Found[] {
  const at = ['services', name];
  const strong = service.cap_add.map((capability, index) =>
    /^(CAP_)?(ALL|SYS_\w+|NET_ADMIN|NET_RAW|DAC_\w+|BPF|PERFMON|MKNOD)$/i.test(capability)
      ? {
          at: [...at, 'cap_add', index],
          message: `${name} gets the capability ${capability}`,
          hint: 'Nothing in a stack needs it; let the program do without.',
        }
      : undefined,
  );
  const open = service.security_opt.map((option, index) =>
    /unconfined|no-new-privileges[:=]false|disable/.test(option)
      ? {
          at: [...at, 'security_opt', index],
          message: `${name} runs with ${option}`,
          hint: 'Remove it: it takes a wall of the container away.',
        }
      : undefined,
  );
  const devices = service.devices.map((device, index) =>
    typeof device === 'string' && harmlessDevice.test(device)
      ? undefined
      : {
          at: [...at, 'devices', index],
          message: `${name} gets a device of the host that is no GPU`,
          hint: 'Only /dev/kfd and /dev/dri may be passed on.',
        },
  );
  return [...strong, ...open, ...devices];
}

export function loopbackOnly(service: OverrideService, name: string): Found[] {
  return service.ports.map((port, index) => {
    const text =
      typeof port === 'string' ? port : `${port.host_ip ?? ''}:${port.published}:${port.target}`;
    const bare = text.replace(/^(?:0\.0\.0\.0|\[::\]):/, '');
    if (/^(127\.0\.0\.1|\[::1\]):/.test(text) || publicPorts[name]?.includes(bare))
      return undefined;
    return {
      at: ['services', name, 'ports', index],
      message: `${name} publishes ${text} to the world, past the server's firewall`,
      hint: `Write 127.0.0.1:${text.replace(/^:/, '')} and let the gateway serve it.`,
    };
  });
}

export function noHostPaths(service: OverrideService, name: string): Found[] {
  return service.volumes.map((volume, index) => {
    const source = sourceOf(volume);
    const named = /^[A-Za-z0-9][\w.-]*$/.test(source);
    if (named || isOwnFile(source)) return undefined;
    return {
      at: ['services', name, 'volumes', index],
      message: `${name} mounts ${source || 'an anonymous volume'} of the host`,
      hint: 'Use a named volume, or a file beside compose.yaml as ./folder/file.',
    };
  });
}

/** What stands before the target. A default value in braces has a colon of its own. */
function sourceOf(volume: OverrideService['volumes'][number]): string {
  if (typeof volume !== 'string') return volume.source ?? '';
  return /^((?:\$\{[^}]*\}|[^:])*)/.exec(volume)?.[1] ?? '';
}

/** A secret in a bundle is a secret that everybody has. */
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
          message: `${name} has a value for ${key} in the compose file`,
          hint: `Write ${key}=\${${key}}; the server makes the value itself.`,
        }
      : undefined,
  );
}
