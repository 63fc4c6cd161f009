import type { License } from './license.ts';

/** The license of Node for the server, a package of npm. */
export const nodeLicense: License = {
  product: 'Node',
  spdx: 'MIT',
  copyright: 'Copyright Node.js contributors',
  repository: 'https://github.com/nodejs/node',
  versionPath: 'tree/v{version}',
  url: 'https://github.com/nodejs/node/blob/main/LICENSE',
  texts: ['mit'],
  redistribution: 'notice',
  condition: 'The file LICENSE in its package also contains the licenses of the libraries inside.',
};

/** The license of Docker's Compose plugin. */
export const composePluginLicense: License = {
  product: 'Docker Compose',
  spdx: 'Apache-2.0',
  copyright: 'Copyright 2020 Docker Compose authors',
  repository: 'https://github.com/docker/compose',
  versionPath: 'tree/v{version}',
  url: 'https://github.com/docker/compose/blob/main/LICENSE',
  texts: ['apache-2.0'],
  redistribution: 'notice',
  condition: 'Copies include the license and NOTICE of the project.',
};

/** The license of the proxy client. Its releases are built with uTLS (BSD-3-Clause) and gVisor. */
export const singBoxLicense: License = {
  product: 'sing-box',
  spdx: 'GPL-3.0-or-later',
  copyright: 'Copyright (C) 2022 nekohasekai <contact-sagernet@sekai.icu>',
  repository: 'https://github.com/SagerNet/sing-box',
  versionPath: 'tree/v{version}',
  url: 'https://github.com/SagerNet/sing-box/blob/main/LICENSE',
  texts: ['gpl-3.0'],
  redistribution: 'source',
  condition:
    'The publisher of a bundle must offer the source. A derivative work must not have the name sing-box without consent.',
};
