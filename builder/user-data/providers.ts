import { LandfallError } from '#contract/errors.ts';
import { nearest } from '#explain/nearest.ts';

/** Formats of user-data. cloud-init reads all of them on every supported system. */
export const formats = ['cloud-config', 'multipart', 'gzip'] as const;
export type Format = (typeof formats)[number];

/** Limits of a provider for user-data. `source` is the document that states them. */
export interface Provider {
  readonly name: string;
  /** Maximum size of the user-data in bytes, before base64. */
  readonly limit: number;
  readonly formats: readonly Format[];
  /** Warning for users of this provider. */
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
    note: 'Paste it into the field "custom data", not into "user data".',
    source: 'compute API reference: 65,535 bytes decoded',
  },
  gcp: {
    name: 'Google Cloud',
    limit: 262_144,
    formats: binary,
    note: 'Use the metadata key user-data; for gzip, also set user-data-encoding: base64. Choose an Ubuntu image: the Debian images do not include cloud-init.',
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
    note: 'The API reference states two limits; the smaller one is applied.',
    source: 'API reference: 65,535 bytes, or about 16 KB encoded',
  },
  oracle: {
    name: 'Oracle Cloud',
    limit: 23_000,
    formats: binary,
    note: 'The limit of 32,000 bytes includes SSH keys and other metadata; long keys reduce it.',
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
    note: 'The reference does not state whether the limit applies before or after base64; up to 12,288 bytes are safe.',
    source: 'Terraform provider reference: base64, up to 16 KB',
  },
  huawei: {
    name: 'Huawei Cloud',
    limit: 32_768,
    formats: binary,
    note: 'User-data has no effect if the server is created with a password: choose a key pair.',
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
    note: 'The limits are those of Public Cloud; the VPS product was not checked.',
    source: 'Nova user guide: 65,535 bytes after base64',
  },
  vsphere: {
    name: 'VMware vSphere',
    limit: 524_288,
    formats: text,
    source: 'CloudinitPrep API reference: 524,288 bytes',
  },
};

/** Names under which users know a provider, by its short name here. */
const otherNames: Readonly<Record<string, string>> = {
  aliyun: 'alibaba',
  alicloud: 'alibaba',
  ecs: 'alibaba',
  qcloud: 'tencent',
  tencentcloud: 'tencent',
  huaweicloud: 'huawei',
  ec2: 'aws',
  amazon: 'aws',
  microsoft: 'azure',
  google: 'gcp',
  gce: 'gcp',
  oci: 'oracle',
  do: 'digitalocean',
  akamai: 'linode',
  hcloud: 'hetzner',
  vmware: 'vsphere',
};

/**
 * Returns a provider by its short name, such as `hetzner`.
 * @throws LandfallError USER_DATA_PROVIDER listing the known names
 */
export function findProvider(name: string): Provider {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider) return provider;
  const meant = otherNames[name.toLowerCase()] ?? nearest(name, Object.keys(providers));
  const question = meant === undefined ? '' : `Did you mean ${meant}? `;
  throw new LandfallError('USER_DATA_PROVIDER', `unknown provider: ${JSON.stringify(name)}`, {
    hint: `${question}Choose from: ${Object.keys(providers).join(', ')}. Without --provider, the smallest limit of all providers applies.`,
  });
}
