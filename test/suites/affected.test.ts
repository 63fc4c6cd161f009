import { describe, expect, it } from 'vitest';
import { affectedBy } from './affected.ts';
import { filesOf } from './suites.ts';

describe('affectedBy', () => {
  it('adds the suites of the topics of changed paths to all unit tests', () => {
    const { topics, jobs } = affectedBy(['appliance/relay/keys.ts', 'docs/relay.md']);
    expect(topics).toEqual(['relay']);
    expect(jobs.map(({ suite }) => suite)).toEqual(['unit', 'exhaustive', 'integration', 'real']);
    expect(jobs.at(0)?.files).toEqual(filesOf('unit'));
    expect(jobs.at(2)?.files).toContain('test/integration/relay/relay-image.test.ts');
  });

  it.each([
    ['appliance/relay/handle.ts', 'test/appliance/relay/limits.test.ts'],
    ['test/appliance/relay/rig.ts', 'test/appliance/relay/limits.test.ts'],
    ['appliance/shared/cli/help.ts', 'test/appliance/shared/cli/completion.test.ts'],
    ['.github/workflows/ci.yml', 'test/workflows/release-scripts.test.ts'],
    ['builder/publish/release/upload.ts', 'test/builder/publish/release/upload-draft.test.ts'],
  ])('adds the slow unit tests beside %s', (path, test) => {
    const { jobs } = affectedBy([path]);
    const slow = jobs.find(({ suite }) => suite === 'exhaustive');
    expect(slow?.files).toContain(test);
    expect(slow?.files).not.toContain('test/specification/any-site.test.ts');
  });

  it('adds the changed test files themselves', () => {
    const path = 'test/host/stages/kernel.test.ts';
    expect(affectedBy([path]).jobs.at(1)).toEqual({ suite: 'host', files: [path] });
  });

  it('runs unit tests only when no topic is affected', () => {
    expect(affectedBy(['README.md']).jobs.map(({ suite }) => suite)).toEqual(['unit']);
  });

  it('takes whole path segments only', () => {
    expect(affectedBy(['appliance/relay-other/file.ts']).topics).toEqual([]);
  });
});
