import type { ContainerCreateOptions } from 'dockerode';

/**
 * What a container needs to run systemd and an engine of its own. It is loosened as far as the
 * machine allows: it is no sandbox. SYS_RESOURCE is dropped because build machines often lack it,
 * and then a plain `--privileged` fails.
 */
const hostConfig = {
  CapAdd: ['ALL'],
  CapDrop: ['SYS_RESOURCE'],
  SecurityOpt: ['seccomp=unconfined', 'apparmor=unconfined'],
  MaskedPaths: [],
  ReadonlyPaths: [],
  DeviceCgroupRules: ['a *:* rwm'],
  Devices: ['/dev/fuse', '/dev/net/tun'].map((path) => ({
    PathOnHost: path,
    PathInContainer: path,
    CgroupPermissions: 'rwm',
  })),
  CgroupnsMode: 'private',
  Tmpfs: { '/run': 'exec,mode=755', '/run/lock': '' },
};

/** The types of dockerode do not know every field. */
export const asMachine: ContainerCreateOptions['HostConfig'] = hostConfig;

/** Folders that lie on a disk of their own: an overlay cannot hold another one. */
export const diskFolders = { '/var/lib/docker': {}, '/var/lib/containerd': {} };
