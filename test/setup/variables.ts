/** Dependencies that integration tests can request, each with its value: a path or an address. */
export const needNames = [
  /** Address (host:port) of a registry with the test images, plain http on loopback. */
  'registry',
  /** Folder with that registry's storage, for tests that run a registry of their own. */
  'registryStorage',
  /** Address of a registry with two images that requires the account in `images/registry-account.ts`. */
  'registryAuth',
  /** OCI layout with the test images. */
  'images',
  /** Address of a registry with the large images of the benchmark. */
  'benchRegistry',
  /** Path of llama.cpp as a native module of Node. */
  'llama',
  /** Path of lego, compiled with some of its DNS providers. */
  'lego',
  /** Socket of a Docker that belongs only to this run. */
  'engine',
  /** Root folders of Debian 13 and Debian 12, for `inChroot`. */
  'trixie',
  'bookworm',
  /** Root folder of a Debian with a browser, for `inChroot`. */
  'browser',
  /** Folders with the root file system of a bootable server, for `Cloud`. */
  'hostDebian12',
  'hostDebian13',
  'hostUbuntuLike',
  'hostResoluteLike',
  /** Path of uutils, the coreutils of Ubuntu 26.04. */
  'uutils',
  /** Cache folder for the Debian packages that such servers install. */
  'packageCache',
  /** Folder of a recent qemu. */
  'qemu',
  /** Folder of a server that boots in it. */
  'trueHost',
  /** The same with the kernel and the AppArmor of Debian unstable, whose profiles are enforced. */
  'confinedHost',
  /** Accelerator of qemu: `kvm` or `tcg`. */
  'accelerator',
  /** Folder of an ACME authority and its DNS server. */
  'pebble',
  /** Path of a newer Pebble with profiles of certificates, compiled with Go. */
  'newerPebble',
  /** A real Compose plugin, for bundles. */
  'composePlugin',
  /** Folder of a finished build: a bundle of the shipped appliance with the test images. */
  'serverBundle',
  /** Images of the real programs in Docker, and the folder of llama.cpp's sources. */
  'openWebUi',
  /** The version of the release before. */
  'openWebUiBefore',
  'ollama',
  'llamaSource',
  /** Paths of programs. */
  'skopeo',
  'openssl',
  'shellcheck',
  'dash',
  'zsh',
  'fish',
  'proxychains4',
  'curl',
  'sshd',
  'pip3',
  'gpg',
  'haproxy',
  'busybox',
  'knotd',
  'unbound',
] as const;

export type NeedName = (typeof needNames)[number];

/** Returns the name of the variable with a value: `LANDFALL_TEST_REGISTRY_AUTH`. */
export function variableOf(name: NeedName): string {
  return `LANDFALL_TEST_${upperSnake(name)}`;
}

/** Returns the name of the variable with the reason why the dependency is missing. */
export function reasonVariableOf(name: NeedName): string {
  return `LANDFALL_TEST_UNMET_${upperSnake(name)}`;
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
