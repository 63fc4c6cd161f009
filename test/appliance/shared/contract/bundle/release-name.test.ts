import { describe, expect, it } from 'vitest';
import { architectures, localImage, releaseName } from '#contract/bundle/release-name.ts';

describe('the file and tag names of a release', () => {
  it('contain product, version and architecture', () => {
    expect(releaseName('landfall', '1.2.0', 'amd64')).toBe('landfall-1.2.0-amd64');
  });

  it('include a local tag for each image, in a registry that does not exist', () => {
    expect(localImage('engine', '1.2.0')).toBe('landfall.local/engine:1.2.0');
  });

  it('use the architecture names of Debian and Docker', () => {
    expect(architectures).toEqual(['amd64', 'arm64']);
  });
});
