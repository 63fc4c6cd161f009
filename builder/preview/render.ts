import type { Release, ReleaseModel } from '#contract/bundle/release.ts';
import { type PortComponent, portComponents } from '#contract/component-names.ts';
import { signInEmail } from '#contract/site/email.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { makeSecret } from '../../appliance/host/secret-file.ts';
import { secretNames } from '../../appliance/secrets/secret-names.ts';
import { describeHostedOnly, listedName, localModels } from '../../appliance/stack/local-models.ts';
import { overridesFile, renderStack } from '../../appliance/stack/render-stack.ts';
import type { RenderedFile } from '../../appliance/stack/rendered-file.ts';

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
 * no public certificate and no network route, and is reached on the loopback address.
 */
export function previewSite(site: Site, ports: PreviewPorts): Site {
  const { https: _https, http: _http, ...own } = ports;
  return {
    ...site,
    hosts: {},
    tls: { mode: 'internal', accept_terms: false },
    route: { mode: 'direct' },
    ca: undefined,
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

/** The computer on which a preview runs, as its Docker describes it. */
export interface PreviewComputer {
  /** Bytes. */
  readonly memory: number;
  /** 0: Docker cannot limit CPUs. */
  readonly cpus: number;
  /** Whether Docker supports `start_interval` of health checks. */
  readonly startInterval: boolean;
}

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

/** What Compose and the containers of a preview read, and what the smoke tests need to know. */
interface RenderedPreview {
  /** Relative to the stack's folder. */
  readonly files: readonly RenderedFile[];
  /** Names of additional Compose files in the bundle. */
  readonly overrides: readonly string[];
  /** Sign-in name of the chat UI's administrator. */
  readonly email: string;
  /** Why there is no local chat model; undefined when there is one. */
  readonly hostedOnly: string | undefined;
  readonly models: ReadonlyArray<{
    readonly name: string;
    readonly role: ReleaseModel['role'];
    readonly digest: string | null;
  }>;
}

/**
 * Renders the files of the stack as a server does, for this computer.
 * @throws LandfallError STATE_INVALID when a secret is missing or cannot be quoted
 */
export function renderPreview(input: PreviewInput): RenderedPreview {
  const { site, release, gatewayConfiguration, secrets, computer, project } = input;
  const models = localModels(release, site, computer);
  const files = renderStack({
    site,
    images: release.images,
    gatewayConfiguration,
    models,
    secrets,
    server: { ...computer, addresses: [], gpu: 'none', ipv6: false },
    project,
  });
  const overrides = files.find(({ path }) => path === overridesFile)?.content ?? '';
  return {
    files,
    overrides: overrides.split('\n').filter(Boolean),
    email: signInEmail(site),
    hostedOnly: describeHostedOnly(models),
    models: models.models.map((model) => ({
      name: listedName(model),
      role: model.role,
      digest: model.manifest,
    })),
  };
}
