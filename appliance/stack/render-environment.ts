import { runsRelay } from '#contract/chosen-images.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { serviceNames } from '../host/route-environment.ts';
import { envFile } from './env-file.ts';
import { limitsOf } from './limits.ts';
import { plainFile, type RenderedFile } from './rendered-file.ts';
import type { StackInput } from './stack-input.ts';

/** What Compose fills into `compose.yaml`. Nothing in it is secret: `docker inspect` shows it. */
export function renderEnvironment(
  input: StackInput,
  hashes: Readonly<Record<string, string>>,
): RenderedFile {
  return plainFile(
    '.env',
    `# Made by landfall for this site. Changes here are overwritten; change the site instead.\n${envFile(
      {
        COMPOSE_PROJECT_NAME: 'landfall',
        COMPOSE_PROFILES: profilesOf(input).join(','),
        LANDFALL_RELEASE: input.release,
        OLLAMA_KEEP_ALIVE: input.site.variables.OLLAMA_KEEP_ALIVE ?? '24h',
        ...uiVariables(input),
        ...portVariables(input),
        ...limitVariables(input),
        ...hashVariables(hashes),
      },
    )}`,
  );
}

/** The optional services that run all the time. */
function profilesOf({ site }: StackInput): string[] {
  const { chat, lobe } = site.components;
  return [runsRelay(site) ? 'relay' : '', chat ? 'chat' : '', lobe ? 'lobe' : ''].filter(Boolean);
}

function uiVariables({ site, server }: StackInput): Record<string, string> {
  const scheme = site.tls.mode === 'off' ? 'http' : 'https';
  const names = servedHosts(site).ui ? [servedHosts(site).ui] : (server.addresses ?? []);
  const origins = names.map((name) => `${scheme}://${name?.includes(':') ? `[${name}]` : name}`);
  const tunnel = ['localhost', '127.0.0.1'].map((name) => `http://${name}:${site.ports.ui}`);
  return {
    WEBUI_URL: origins[0] ?? '',
    // With no name and no known address, any origin: a list without the right one locks all out.
    UI_ORIGINS: origins.length > 0 ? [...origins, ...tunnel].join(';') : '*',
    UI_SECURE_COOKIES: scheme === 'https' ? 'True' : 'False',
  };
}

function portVariables({ site: { ports } }: StackInput): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [`${name.toUpperCase()}_PORT`, `${port}`]),
  );
}

function limitVariables({ server }: StackInput): Record<string, string> {
  const limits = limitsOf(server);
  return Object.fromEntries(
    serviceNames.flatMap((name) => {
      const { memory, cpus, pids } = limits[name];
      const prefix = name.toUpperCase();
      return [
        [`${prefix}_MEMORY`, `${memory}`],
        [`${prefix}_CPUS`, `${cpus}`],
        [`${prefix}_PIDS`, `${pids}`],
      ];
    }),
  );
}

function hashVariables(hashes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(hashes).map(([name, hash]) => [`${name.toUpperCase()}_CONFIGURATION`, hash]),
  );
}
