import type { ContainerCreateOptions } from 'dockerode';

/**
 * Container options for systemd and a nested Docker. They are as loose as the machine allows: this
 * is not a sandbox. SYS_RESOURCE is dropped because build machines often lack it, and then a plain
 * `--privileged` fails.
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

/** The types of dockerode lack some fields. */
export const asMachine: ContainerCreateOptions['HostConfig'] = hostConfig;

/** Folders on a separate volume: an overlay cannot contain another one. */
export const diskFolders = { '/var/lib/docker': {}, '/var/lib/containerd': {} };
