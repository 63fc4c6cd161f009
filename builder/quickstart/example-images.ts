import { type LockedImage, unresolved } from '../lock/lock.ts';

const unknown = { manifest: unresolved, config: unresolved, size: unresolved } as const;

/**
 * Images of the example release, by component, for those whose digest the reference lock does not
 * have. Their digests are published in public repositories. A release never contains them.
 */
export const exampleImages: Readonly<Record<string, LockedImage>> = {
  ui: {
    image: 'ghcr.io/open-webui/open-webui:v0.11.4',
    index: 'sha256:9591b13f13843c7721c2b8eaf7382846c81b3ffe126526d1888d1fed50c6a33f',
    platforms: {
      'linux/amd64': {
        ...unknown,
        manifest: 'sha256:332438e079ad23bb11b0ab278b43e7c98b50e8cec14b0840281644e8a289f49f',
      },
      'linux/arm64': unknown,
    },
  },
};
