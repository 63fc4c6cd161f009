import { LandfallError } from '#contract/errors.ts';
import type { Format } from './format.ts';

/** What a provider takes as user-data. Figures are from its own documents where `source` says so. */
export interface Provider {
  readonly name: string;
  /** Bytes of user-data as we write it, before the provider's own base64. */
  readonly limit: number;
  readonly formats: readonly Format[];
  /** What a person should know before pasting there. */
  readonly note?: string;
  readonly source: string;
}

const text = ['cloud-config', 'multipart'] as const;
const binary = [...text, 'gzip'] as const;

export const providers: Readonly<Record<string, Provider>> = {
  aws: {
    name: 'Amazon EC2',
    limit: 16_384,
    formats: binary,
    source: 'EC2 user guide: 16 KB before base64',
  },
  azure: {
    name: 'Microsoft Azure',
    limit: 65_535,
    formats: binary,
    note: 'Put it in the field "custom data", not in "user data".',
    source: 'compute API reference: 65,535 bytes decoded',
  },
  gcp: {
    name: 'Google Cloud',
    limit: 262_144,
    formats: binary,
    note: 'Use the metadata key user-data; gzip needs user-data-encoding: base64 beside it. Take an Ubuntu image: Debian images there come without cloud-init.',
    source: 'Compute Engine metadata reference: 262,144 bytes a value',
  },
  digitalocean: {
    name: 'DigitalOcean',
    limit: 65_536,
    formats: text,
    source: 'API reference: 64 KiB, plain text',
  },
  hetzner: {
    name: 'Hetzner Cloud',
    limit: 32_768,
    formats: text,
    source: 'API reference: 32 KiB, no binary',
  },
  linode: {
    name: 'Linode (Akamai)',
    limit: 16_384,
    formats: text,
    note: 'The API reference gives two figures; the smaller one is counted here.',
    source: 'API reference: 65,535 bytes, or about 16 KB encoded',
  },
  oracle: {
    name: 'Oracle Cloud',
    limit: 23_000,
    formats: binary,
    note: 'SSH keys and other metadata share its 32,000 bytes; long keys leave less.',
    source: 'SDK reference: 32,000 bytes of metadata, user-data in base64 inside',
  },
  alibaba: {
    name: 'Alibaba Cloud',
    limit: 16_384,
    formats: text,
    source: 'ECS user guide: 16 KB before base64',
  },
  tencent: {
    name: 'Tencent Cloud',
    limit: 16_384,
    formats: text,
    note: 'Its reference does not say whether the limit counts before or after base64; under 12,288 bytes both hold.',
    source: 'Terraform provider reference: base64, up to 16 KB',
  },
  huawei: {
    name: 'Huawei Cloud',
    limit: 32_768,
    formats: binary,
    note: 'It has no effect where the server is created with a password: choose a key pair.',
    source: 'ECS API reference: 32 KB before base64',
  },
  openstack: {
    name: 'OpenStack',
    limit: 49_151,
    formats: binary,
    source: 'Nova user guide: 65,535 bytes after base64',
  },
  ovh: {
    name: 'OVHcloud Public Cloud',
    limit: 49_151,
    formats: binary,
    note: 'For Public Cloud; the VPS product was not looked at.',
    source: 'Nova user guide: 65,535 bytes after base64',
  },
  vsphere: {
    name: 'VMware vSphere',
    limit: 524_288,
    formats: text,
    source: 'CloudinitPrep API reference: 524,288 bytes',
  },
};

/**
 * Looks a provider up by its short name, such as `hetzner`.
 * @throws LandfallError USER_DATA_PROVIDER naming those that are known
 */
export function findProvider(name: string): Provider {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider) return provider;
  throw new LandfallError('USER_DATA_PROVIDER', `there is no provider ${JSON.stringify(name)}`, {
    hint: `Known are ${Object.keys(providers).join(', ')}. Without --provider the smallest limit of all is kept.`,
  });
}
