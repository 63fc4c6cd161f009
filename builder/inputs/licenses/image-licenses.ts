import type { License } from './license.ts';
import { nodeLicense } from './other-licenses.ts';

/**
 * Licenses of images, by registry and repository of their publisher. An image of another repository
 * may be modified, so its license is not known. `docs/decisions/0038-licenses.md` records which texts
 * were read.
 */
export const imageLicenses: Readonly<Record<string, License>> = {
  'docker.io/ollama/ollama': {
    product: 'Ollama',
    spdx: 'MIT',
    copyright: 'Copyright (c) Ollama',
    repository: 'https://github.com/ollama/ollama',
    versionPath: 'tree/v{version}',
    url: 'https://github.com/ollama/ollama/blob/main/LICENSE',
    texts: ['mit'],
    redistribution: 'notice',
    condition:
      'The image contains NVIDIA CUDA libraries under the NVIDIA CUDA EULA, which names the files that may be redistributed.',
    systems: ['Ubuntu'],
  },
  'ghcr.io/open-webui/open-webui': {
    product: 'Open WebUI',
    spdx: 'LicenseRef-Open-WebUI',
    copyright: 'Copyright (c) 2023- Open WebUI Inc.',
    repository: 'https://github.com/open-webui/open-webui',
    versionPath: 'tree/v{version}',
    url: 'https://github.com/open-webui/open-webui/blob/v0.12.4/LICENSE',
    texts: ['open-webui'],
    redistribution: 'unmodified',
    condition:
      'BSD-3-Clause with a branding clause: with more than 50 users in 30 days, the name and the logo must not be changed or hidden.',
    systems: ['Debian'],
  },
  'docker.io/yidadaa/chatgpt-next-web': {
    product: 'NextChat',
    spdx: 'MIT',
    copyright: 'Copyright (c) 2023-2025 NextChat',
    repository: 'https://github.com/ChatGPTNextWeb/NextChat',
    versionPath: 'tree/v{version}',
    url: 'https://github.com/ChatGPTNextWeb/NextChat/blob/v2.16.1/LICENSE',
    texts: ['mit'],
    redistribution: 'notice',
    condition: 'The image contains proxychains-ng (GPL-2.0-or-later) as a package of Alpine.',
    systems: ['Alpine'],
  },
  'docker.io/lobehub/lobe-chat': {
    product: 'LobeChat',
    spdx: 'LicenseRef-LobeHub-Community',
    copyright: 'Copyright (c) 2024/06/17 - current LobeHub LLC',
    repository: 'https://github.com/lobehub/lobe-chat',
    versionPath: 'tree/v{version}',
    url: 'https://github.com/lobehub/lobe-chat/blob/v1.143.3/LICENSE',
    texts: ['lobehub-community', 'apache-2.0'],
    redistribution: 'unmodified',
    condition:
      'Apache-2.0 with a condition: a derivative work needs a commercial license. An unmodified image does not.',
    systems: ['Debian'],
  },
  'docker.io/kalaksi/tinyproxy': {
    product: 'tinyproxy, image of kalaksi',
    spdx: 'GPL-2.0-or-later',
    copyright: 'Copyright (C) 1998 Steven Young and the other authors of tinyproxy',
    repository: 'https://github.com/tinyproxy/tinyproxy',
    url: 'https://github.com/tinyproxy/tinyproxy/blob/master/COPYING',
    texts: ['gpl-2.0'],
    redistribution: 'source',
    condition:
      'The publisher of a bundle must offer the source: that of the Alpine package community/tinyproxy. The recipe of the image (https://github.com/kalaksi/docker-tinyproxy) has the MIT license, Copyright (c) 2018 kalaksi.',
    systems: ['Alpine'],
  },
  'docker.io/library/haproxy': {
    product: 'HAProxy',
    spdx: 'GPL-2.0-or-later',
    copyright: 'Copyright (C) 2000-2026 Willy Tarreau and the other authors of HAProxy',
    repository: 'https://github.com/haproxy/haproxy',
    versionPath: 'tree/v{version}',
    url: 'https://github.com/haproxy/haproxy/blob/master/LICENSE',
    texts: ['gpl-2.0'],
    redistribution: 'source',
    condition:
      'The publisher of a bundle must offer the source, from https://www.haproxy.org/download/. HAProxy may be linked with OpenSSL; its headers have the LGPL-2.1.',
    systems: ['Alpine'],
  },
  'docker.io/library/nginx': {
    product: 'nginx',
    spdx: 'BSD-2-Clause',
    copyright: 'Copyright (C) 2002-2021 Igor Sysoev, Copyright (C) 2011-2024 Nginx, Inc.',
    repository: 'https://github.com/nginx/nginx',
    versionPath: 'tree/release-{version}',
    url: 'https://nginx.org/LICENSE',
    texts: ['bsd-2-clause'],
    redistribution: 'notice',
    condition: 'Copies reproduce the copyright and the license.',
    systems: ['Alpine'],
  },
  'docker.io/goacme/lego': {
    product: 'lego',
    spdx: 'MIT',
    copyright:
      'Copyright (c) 2017-2024 Ludovic Fernandez, Copyright (c) 2015-2017 Sebastian Erhart',
    repository: 'https://github.com/go-acme/lego',
    versionPath: 'tree/v{version}',
    url: 'https://github.com/go-acme/lego/blob/master/LICENSE',
    texts: ['mit'],
    redistribution: 'notice',
    condition: 'Copies include the license and the copyright.',
    systems: ['Alpine'],
  },
  'docker.io/library/node': {
    ...nodeLicense,
    product: 'Node (image of the relay)',
    condition: 'The license of Node also contains those of the libraries inside.',
    systems: ['Alpine'],
  },
};
