import type { Release } from '#contract/bundle/release.ts';
import { type PortComponent, portComponents } from '#contract/component-names.ts';
import { signInEmail } from '#contract/site/email.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { clientOf } from '#contract/site/relay/relay-settings.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { describeHostedOnly, listedName, localModels } from '#contract/sizes/local-models.ts';
import { makeSecret } from '../../../appliance/server/host/secret-file.ts';
import { secretNames } from '../../../appliance/stages/secrets/secret-names.ts';
import { renderStack } from '../../../appliance/stages/stack/render-stack.ts';
import type { StackInput } from '../../../appliance/stages/stack/stack-input.ts';

/** Ports that a preview publishes on the loopback address: two of the gateway, one per component. */
export type PreviewPort = 'https' | 'http' | PortComponent;
export type PreviewPorts = Readonly<Partial<Record<PreviewPort, number>>> & {
  readonly https: number;
  readonly http: number;
};

/** Ports above 1024, because Docker without root cannot publish others. */
const gatewayPorts = { https: 8443, http: 8088 } as const;

/** Returns the ports that the preview of a site prefers, those of the gateway first. */
export function preferredPorts(site: Site): PreviewPorts {
  const own = portComponents.filter((name) => isEnabled(site, name));
  return {
    ...gatewayPorts,
    ...Object.fromEntries(own.map((name) => [name, site.ports[name]])),
  };
}

/** The schema requires a key. No account of a preview uses it. */
const anyKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 preview';

/** Returns the site of a preview without a site file: all defaults. */
export function defaultSite(): Site {
  return siteSchema.parse({
    release: ['https://downloads.example.com/'],
    admin: { ssh_keys: [anyKey] },
  });
}

/**
 * Returns a site with the settings that only a server can have replaced: a preview has no host names,
 * no public certificate and no network route, and is reached on the loopback address. Other servers
 * with Ollama accept only the first server, so a preview uses its own.
 */
export function previewSite(site: Site, ports: PreviewPorts): Site {
  const { https, http: _http, ...own } = ports;
  return {
    ...site,
    hosts: { port: https },
    tls: { mode: 'internal', accept_terms: false },
    route: { mode: 'direct' },
    ca: undefined,
    engines: undefined,
    // The folder with the usage must belong to the user of the relay, which a preview cannot do.
    relay: { ...site.relay, keys: site.relay.keys.map(clientOf), ui: undefined },
    ports: { ...site.ports, ...own },
  };
}

/** Values by the names of `secret-names.ts`. */
type PreviewSecrets = Readonly<Record<string, string>>;

/** Returns a value for every secret that a server would generate. Keeps the existing values. */
export function completeSecrets(site: Site, existing: PreviewSecrets): PreviewSecrets {
  const made = secretNames(site).flatMap(({ name, generate }) =>
    generate ? [[name, existing[name] ?? makeSecret(generate)] as const] : [],
  );
  return Object.fromEntries(made);
}

/**
 * The computer on which a preview runs, as its Docker describes it: memory in bytes, CPUs (0 if Docker
 * cannot limit them), and whether Docker supports `start_interval`.
 */
export type PreviewComputer = Required<
  Pick<StackInput['server'], 'memory' | 'cpus' | 'startInterval'>
>;

/** All inputs of the rendered files of a preview. */
interface PreviewInput {
  /** Result of `previewSite`. */
  readonly site: Site;
  /** With the models of the bundle only. */
  readonly release: Pick<Release, 'images' | 'models'>;
  /** The gateway's nginx.conf in the bundle, if it has one. */
  readonly gatewayConfiguration: string | undefined;
  readonly secrets: PreviewSecrets;
  readonly computer: PreviewComputer;
  readonly project: string;
}

/**
 * Renders the files of the stack as a server does, for this computer. Returns them, relative to the
 * stack's folder, and what the smoke tests need to know.
 * @throws LandfallError STATE_INVALID when a secret is missing or cannot be quoted
 */
export function renderPreview(input: PreviewInput) {
  const { site, release, gatewayConfiguration, secrets, computer, project } = input;
  const models = localModels(release, site, computer);
  const server = { ...computer, addresses: [], gpu: 'none', ipv6: 'none' } as const;
  return {
    files: renderStack({
      ...{ site, images: release.images, gatewayConfiguration, models, secrets, server, project },
    }),
    /** Sign-in name of the chat UI's administrator. */
    email: signInEmail(site),
    /** Why there is no local chat model; undefined when there is one. */
    hostedOnly: describeHostedOnly(models),
    models: models.models.map((model) => ({
      name: listedName(model),
      role: model.role,
      digest: model.manifest,
    })),
  };
}
