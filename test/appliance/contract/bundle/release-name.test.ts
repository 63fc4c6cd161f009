import { describe, expect, it } from 'vitest';
import { architectures, localImage, releaseName } from '#contract/bundle/release-name.ts';

describe('the names of a release', () => {
  it('has a base name that says what, which and for what', () => {
    expect(releaseName('landfall', '1.2.0', 'amd64')).toBe('landfall-1.2.0-amd64');
  });

  it('has a local tag for each image, in no registry that exists', () => {
    expect(localImage('engine', '1.2.0')).toBe('landfall.local/engine:1.2.0');
  });

  it("spells architectures as Debian and Docker do, not as the kernel's uname", () => {
    expect(architectures).toEqual(['amd64', 'arm64']);
  });
});
