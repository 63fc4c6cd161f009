/** What integration suites can ask for, and what they get: a path or an address. */
export const needNames = [
  /** Address (host:port) of a registry with the test images, plain http on loopback. */
  'registry',
  /** Folder with that registry's storage, for tests that start and stop one of their own. */
  'registryStorage',
  /** Address of a registry that wants the account in `registry-account.ts`, with two images. */
  'registryAuth',
  /** OCI layout with the test images. */
  'images',
  /** Address of a registry with the large images of the benchmark. */
  'benchRegistry',
  /** Path of llama.cpp as a native module of Node. */
  'llama',
  /** Socket of a Docker engine that belongs to this run alone. */
  'engine',
  /** Root folders of Debian 13 and Debian 12, for `inChroot`. */
  'trixie',
  'bookworm',
  /** Root folder of a Debian with a browser, for `inChroot`. */
  'browser',
  /** Folders with the root file system of a server to boot, for `Cloud`. */
  'hostDebian12',
  'hostDebian13',
  'hostUbuntuLike',
  /** Folder that keeps the Debian packages which such servers install. */
  'packageCache',
  /** Folder of a recent qemu. */
  'qemu',
  /** Folder of a server to boot in it. */
  'trueHost',
  /** How it runs there: `kvm` or `tcg`. */
  'accelerator',
  /** Folder of an ACME authority and of the DNS server that goes with it. */
  'pebble',
  /** A real Compose plugin, for bundles. */
  'composePlugin',
  /** Paths of programs. */
  'skopeo',
  'openssl',
  'shellcheck',
  'dash',
  'curl',
] as const;

export type NeedName = (typeof needNames)[number];

/** The environment variable that holds what was asked for: `LANDFALL_TEST_REGISTRY_AUTH`. */
export function variableOf(name: NeedName): string {
  return `LANDFALL_TEST_${upperSnake(name)}`;
}

/** The environment variable that holds the reason why it is not there. */
export function reasonVariableOf(name: NeedName): string {
  return `LANDFALL_TEST_UNMET_${upperSnake(name)}`;
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
