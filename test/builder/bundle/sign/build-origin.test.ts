import { describe, expect, it } from 'vitest';
import { buildOrigin } from '../../../../builder/bundle/sign/build-origin.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const workflow = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'OWNER/landfall',
  GITHUB_REF: 'refs/tags/v1.2.0',
  GITHUB_SHA: commit,
  GITHUB_WORKFLOW_REF: 'OWNER/landfall/.github/workflows/release.yml@refs/tags/v1.2.0',
  RUNNER_ENVIRONMENT: 'github-hosted',
};

function originIn(env: NodeJS.ProcessEnv) {
  const warnings: string[] = [];
  return { origin: buildOrigin(env, (text) => warnings.push(text)), warnings };
}

describe('the origin of a build', () => {
  it('returns the tag, the commit and the workflow as the origin of a build in a workflow', () => {
    expect(originIn(workflow)).toEqual({
      origin: {
        source: 'git+https://github.com/OWNER/landfall@refs/tags/v1.2.0',
        commit,
        builderId:
          'https://github.com/OWNER/landfall/.github/workflows/release.yml@refs/tags/v1.2.0',
      },
      warnings: [],
    });
  });

  it('returns no builder for a runner that the code host does not operate', () => {
    const { origin } = originIn({ ...workflow, RUNNER_ENVIRONMENT: 'self-hosted' });
    expect(origin).toMatchObject({ commit, builderId: undefined });
  });

  it('returns no origin of a build on a laptop, even with variables of the code host', () => {
    expect(originIn({ ...workflow, GITHUB_ACTIONS: undefined })).toEqual({ warnings: [] });
  });

  it.each([
    ['GITHUB_SERVER_URL', 'http://github.com'],
    ['GITHUB_SERVER_URL', 'https://user:secret@github.com'],
    ['GITHUB_REPOSITORY', 'OWNER/landfall/../other'],
    ['GITHUB_REPOSITORY', ''],
    ['GITHUB_REF', 'refs/tags/v1 0'],
    ['GITHUB_REF', 'refs/tags/../heads/main'],
    ['GITHUB_REF', `refs/tags/${'v'.repeat(201)}`],
    ['GITHUB_SHA', 'main'],
    ['GITHUB_SHA', `${commit}\n`],
    ['GITHUB_WORKFLOW_REF', 'OWNER/landfall/release.yml@refs/tags/v1.2.0'],
  ])('returns no origin of a build, and warns, if %s is %j', (name, value) => {
    expect(originIn({ ...workflow, [name]: value })).toEqual({
      warnings: [`the provenance names no commit: missing or invalid variable ${name}`],
    });
  });
});
