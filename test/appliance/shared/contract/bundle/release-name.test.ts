import { describe, expect, it } from 'vitest';
import { architectures, localImage, releaseName } from '#contract/bundle/release-name.ts';

describe('the file and tag names of a release', () => {
  it('contain product, version and architecture', () => {
    expect(releaseName('landfall', '1.2.0', 'amd64')).toBe('landfall-1.2.0-amd64');
  });

  it('include a local tag for each image, in a registry that does not exist', () => {
    expect(
      localImage({ component: 'engine', index: `sha256:0123456789abcdef${'0'.repeat(48)}` }),
    ).toBe('landfall.local/engine:0123456789ab');
  });

  it('use the architecture names of Debian and Docker', () => {
    expect(architectures).toEqual(['amd64', 'arm64']);
  });
});
