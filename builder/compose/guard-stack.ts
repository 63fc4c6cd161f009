import type { ComposeFile, Service } from './compose-schema.ts';

/** A rule that a compose file breaks, with the path to the value in the YAML. */
export interface StackProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint: string;
}

type Found = StackProblem | undefined;
type Rule = (service: Service, name: string) => Found[];

/** Only these services may publish ports to the world, and only these ports (DESIGN, decision 7). */
const publicPorts: Readonly<Record<string, readonly string[]>> = { gateway: ['80:80', '443:443'] };

const imagePattern = /^landfall\.local\/([a-z][a-z0-9-]*):\$\{LANDFALL_RELEASE\}$/;
/** Switches such as HIDE_USER_API_KEY=1 are no secrets. */
const harmlessValue = /^(|0|1|true|false|\$\{\w+(:?\?[^}]*)?\})$/i;
const secretName = /(_KEY|_CODE|PASSWORD|PASSWD|SECRET|TOKEN)$/i;

const rules: readonly Rule[] = [neverPulled, keptInside, loopbackOnly, noHostPaths, noSecrets];

/**
 * Checks a stack for what would pull unverified images, open ports, leave the container or carry
 * secrets. Finds every problem; gives the component that each service runs.
 */
export function guardStack(
  file: ComposeFile,
  components: readonly string[],
): { problems: StackProblem[]; services: Map<string, string> } {
  const problems: StackProblem[] = [];
  const services = new Map<string, string>();
  for (const [name, service] of Object.entries(file.services)) {
    const component = imagePattern.exec(service.image)?.[1];
    if (component && components.includes(component)) services.set(name, component);
    else problems.push(foreignImage(name, service, component, components));
    for (const rule of rules) {
      problems.push(...rule(service, name).filter((found) => found !== undefined));
    }
  }
  return { problems, services };
}

function foreignImage(
  name: string,
  service: Service,
  component: string | undefined,
  components: readonly string[],
): StackProblem {
  const at = ['services', name, 'image'];
  if (component) {
    return {
      at,
      message: `${name} runs ${component}, which the appliance does not have`,
      hint: `Name one of: ${components.join(', ')}.`,
    };
  }
  return {
    at,
    message: `${name} names ${service.image}, which no release can have verified`,
    hint: 'Write landfall.local/<component>:${LANDFALL_RELEASE} and add the image to appliance.yaml.',
  };
}

function neverPulled(service: Service, name: string): Found[] {
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
function keptInside(service: Service, name: string): Found[] {
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

function loopbackOnly(service: Service, name: string): Found[] {
  return service.ports.map((port, index) => {
    const text =
      typeof port === 'string' ? port : `${port.host_ip ?? ''}:${port.published}:${port.target}`;
    if (/^(127\.0\.0\.1|\[::1\]):/.test(text) || publicPorts[name]?.includes(text))
      return undefined;
    return {
      at: ['services', name, 'ports', index],
      message: `${name} publishes ${text} to the world, past the server's firewall`,
      hint: `Write 127.0.0.1:${text.replace(/^:/, '')} and let the gateway serve it.`,
    };
  });
}

function noHostPaths(service: Service, name: string): Found[] {
  return service.volumes.map((volume, index) => {
    const source =
      typeof volume === 'string' ? (volume.split(':')[0] ?? '') : (volume.source ?? '');
    const named = /^[A-Za-z0-9][\w.-]*$/.test(source);
    const besides = /^\.\/(?!.*\.\.)/.test(source);
    if (named || besides) return undefined;
    return {
      at: ['services', name, 'volumes', index],
      message: `${name} mounts ${source || 'an anonymous volume'} of the host`,
      hint: 'Use a named volume, or a file beside compose.yaml as ./folder/file.',
    };
  });
}

/** A secret in a bundle is a secret that everybody has. */
function noSecrets(service: Service, name: string): Found[] {
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
