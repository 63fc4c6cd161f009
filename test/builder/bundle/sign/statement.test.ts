import { describe, expect, it } from 'vitest';
import { fileEntry } from '../../../../builder/bundle/archive/entry.ts';
import { releaseOf } from '../../../../builder/bundle/archive/release-facts.ts';
import { statementOf } from '../../../../builder/bundle/sign/statement.ts';
import { factsFor, testKey } from '../archive/fixture.ts';

const release = releaseOf(factsFor(testKey()), [fileEntry('a', Buffer.from('a'))]);
const facts = { builderVersion: '1.0.0', lockSha256: 'a'.repeat(64) };
const lock = { name: 'appliance.lock.yaml', digest: { sha256: 'a'.repeat(64) } };
const origin = {
  source: 'git+https://github.com/OWNER/landfall@refs/tags/v1.2.3',
  commit: 'c'.repeat(40),
  builderId: 'https://github.com/OWNER/landfall/.github/workflows/release.yml@refs/tags/v1.2.3',
};

describe('the statement of the provenance', () => {
  it('names the builder, and no commit, on a laptop', () => {
    expect(statementOf(release, facts)).toMatchObject({
      predicate: {
        buildDefinition: { resolvedDependencies: [lock] },
        runDetails: { builder: { id: 'https://landfall.local/builder/1.0.0' } },
      },
    });
  });

  it('names the commit as a resolved dependency and the workflow as builder, in CI', () => {
    expect(statementOf(release, { ...facts, origin })).toMatchObject({
      predicate: {
        buildDefinition: {
          resolvedDependencies: [
            { uri: origin.source, digest: { gitCommit: origin.commit } },
            lock,
          ],
        },
        runDetails: { builder: { id: origin.builderId, version: { landfall: '1.0.0' } } },
      },
    });
  });

  it('names the builder of a laptop on a runner of another operator', () => {
    const selfHosted = { ...origin, builderId: undefined };
    expect(statementOf(release, { ...facts, origin: selfHosted })).toMatchObject({
      predicate: {
        runDetails: { builder: { id: 'https://landfall.local/builder/1.0.0' } },
      },
    });
  });
});
