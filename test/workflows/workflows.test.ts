import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { imageNames } from '../acceptance/machine/cloud-images.ts';
import { type Job, readWorkflows, type Step, type Workflow } from './workflow.ts';

const { scripts } = manifest;
const workflows = readWorkflows();
const jobs = workflows.flatMap((workflow) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ at: `${workflow.file} ${name}`, job })),
);
const steps = jobs.flatMap(({ at, job }) => job.steps.map((step) => ({ at, job, step })));
const of = (file: string) => workflows.find((each) => each.file === file) as Workflow;

/** Returns the places of the steps that a rule finds. */
const found = (rule: (step: Step, job: Job) => boolean) =>
  steps.filter(({ step, job }) => rule(step, job)).map(({ at, step }) => ({ at, step }));

describe('every workflow', () => {
  it('covers every workflow in these tests', () => {
    expect(workflows.map(({ file }) => file)).toEqual(Object.keys(triggers).sort());
  });

  it.each(workflows.map((each) => [each.file, each] as const))(
    '%s has its triggers only',
    (file, { on }) => {
      expect(on).toEqual(triggers[file]);
    },
  );

  it('grants a workflow no permission by default', () => {
    for (const { file, permissions } of workflows)
      expect({ file, permissions }).toEqual({ file, permissions: {} });
  });

  it('limits the concurrency to one run of the same kind', () => {
    for (const { concurrency, file } of workflows) {
      expect(concurrency.group, file).toMatch(/^[a-z]+(?:-\$\{\{ github\.ref \}\})?$/);
    }
  });
});

/** Events that start each workflow. pull_request_target would give secrets to code of strangers. */
const triggers: Readonly<Record<string, object>> = {
  'channel.yml': {
    workflow_dispatch: { inputs: expect.any(Object) },
    schedule: [{ cron: '23 5 * * *' }],
  },
  'ci.yml': { pull_request: null, push: { branches: ['main'] } },
  'clients.yml': { schedule: [{ cron: '31 3 * * 0' }], workflow_dispatch: {} },
  'distribution.yml': { workflow_dispatch: { inputs: { distribution: expect.any(Object) } } },
  'lock.yml': { schedule: [{ cron: '17 4 * * 1' }], workflow_dispatch: {} },
  'nightly.yml': { schedule: [{ cron: '43 2 * * *' }], workflow_dispatch: {} },
  'release.yml': { push: { tags: ['v*'] } },
};

describe('every job', () => {
  it('limits every job to a timeout of at most six hours', () => {
    for (const { at, job } of jobs) expect(job['timeout-minutes'], at).toBeLessThanOrEqual(360);
  });

  it('grants every job exactly the permissions that it needs', () => {
    const given = jobs.map(({ at, job }) => [at, job.permissions]);
    expect(Object.fromEntries(given)).toEqual(permissions);
  });

  it('runs on an image with a version', () => {
    for (const { at, job } of jobs) {
      expect(job['runs-on'], at).toMatch(/^(?:ubuntu-\d\d\.04(?:-arm)?|\$\{\{ matrix\.\w+ \}\})$/);
    }
  });
});

const read = { contents: 'read' };
const write = { contents: 'write' };
const permissions: Readonly<Record<string, object>> = {
  'channel.yml sign': write,
  'channel.yml remind': { contents: 'read', issues: 'write' },
  'ci.yml gate': read,
  'ci.yml workflows': read,
  'clients.yml clients': read,
  'distribution.yml accept': read,
  'lock.yml resolve': read,
  'lock.yml propose': { contents: 'write', 'pull-requests': 'write' },
  'nightly.yml full': read,
  'nightly.yml routes': read,
  'release.yml check': { contents: 'read', actions: 'read' },
  'release.yml draft': write,
  'release.yml build': write,
  'release.yml reproduce': write,
  'release.yml install': write,
  'release.yml describe': write,
  'release.yml publish': write,
  'release.yml announce': { actions: 'write' },
};

describe('every step', () => {
  it('pins actions by commit, with the version as a comment', () => {
    const used = workflows.flatMap(({ file, text }) =>
      [...text.matchAll(/uses: (.*)$/gm)].map(([, uses = '']) => ({ file, uses })),
    );
    const loose = used.filter(
      ({ uses }) =>
        !/^\.\/(?: #|$)/.test(uses) &&
        !/^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses),
    );
    expect(loose).toEqual([]);
    expect(used.length).toBeGreaterThan(0);
  });

  it('uses one version of each action', () => {
    const pins = new Set(
      steps.flatMap(({ step }) => (step.uses?.includes('@') ? [step.uses] : [])),
    );
    const names = [...pins].map((pin) => pin.split('@')[0]);
    expect(names.length).toBe(new Set(names).size);
  });

  it('leaves no token in the checkout', () => {
    const checkouts = found(({ uses }) => uses?.startsWith('actions/checkout@') ?? false);
    for (const { at, step } of checkouts)
      expect(step.with, at).toMatchObject({ 'persist-credentials': false });
  });

  it('passes no expression to a shell', () => {
    // Also harmless ones: a rule without exceptions is easier to check.
    expect(found(({ run }) => run?.includes('${{') ?? false)).toEqual([]);
  });

  it('runs the scripts of the project, without downloading others', () => {
    expect(found(({ run }) => /\b(?:curl|wget|npx)\b/.test(run ?? ''))).toEqual([]);
  });
});

describe('secrets', () => {
  const holds = (value: unknown, secret: RegExp) => secret.test(JSON.stringify(value ?? {}));

  it('keeps secrets unreachable from a pull request', () => {
    expect(holds(of('ci.yml').jobs, /secrets\.|github\.token|GITHUB_TOKEN|GH_TOKEN/)).toBe(false);
    for (const { on, file } of workflows) {
      expect(Object.keys(on), file).not.toContain('pull_request_target');
      expect(Object.keys(on), file).not.toContain('workflow_run');
    }
  });

  it('reach one step each, never a whole job or workflow', () => {
    for (const { at, job } of jobs) expect(holds(job.env, /secrets|token/i), at).toBe(false);
    for (const { file, text } of workflows) expect(text, file).not.toMatch(/^env:/m);
  });

  it('uses the secrets of signing in two jobs only, in an environment', () => {
    const signing = jobs.filter(({ job }) => holds(job, /(?<!LANDFALL_)RELEASE_KEY|secrets\./));
    expect(signing.map(({ at, job }) => [at, job.environment])).toEqual([
      ['channel.yml sign', 'release-signing'],
      ['release.yml build', 'release-signing'],
    ]);
  });

  it('passes no token to the step with the key of the channel', () => {
    const withKey = found(({ env }) => holds(env, /secrets\./));
    const signing = withKey.filter(({ at }) => at === 'channel.yml sign');
    expect(
      signing.map(({ step }) => [step.run?.split(' --key')[0], holds(step.env, /token/)]),
    ).toEqual([['npm run landfall -- channel sign', false]]);
  });

  it('starts no job with secrets on a schedule', () => {
    const { sign, remind } = of('channel.yml').jobs;
    expect(sign?.if).toBe("github.event_name == 'workflow_dispatch'");
    expect(remind?.environment).toBeUndefined();
  });

  it('that can write reach no step that runs a release or a scanner', () => {
    const withToken = found(({ env }) => holds(env, /github\.token/));
    expect(withToken.length).toBeGreaterThan(0);
    for (const { at, step } of withToken) {
      expect(step.run ?? step.uses, at).toMatch(
        /^(?:gh (?:release|workflow run|run download) |for tag|npm run upload -- |\.\/$|cp .*\n *gh auth)/,
      );
    }
  });
});

const matrix = z.object({
  include: z.array(z.record(z.string(), z.string())),
  image: z.array(z.string()).optional(),
  arch: z.array(z.string()).optional(),
});

describe('the workflow of a release', () => {
  const { jobs: steps } = of('release.yml');
  const matrixOf = (name: string) => matrix.parse(steps[name]?.strategy?.matrix);

  it('publishes only what was reproduced and installed', () => {
    const order = Object.entries(steps).map(([name, { needs }]) => [name, needs]);
    expect(Object.fromEntries(order)).toEqual({
      check: undefined,
      draft: 'check',
      build: 'draft',
      reproduce: 'build',
      install: 'build',
      describe: ['reproduce', 'install'],
      publish: 'describe',
      announce: 'publish',
    });
    expect(steps.publish?.environment).toBe('release-publishing');
  });

  it('builds and reproduces each architecture and kind separately', () => {
    for (const name of ['build', 'reproduce']) {
      const built = matrixOf(name).include.map(({ arch, kind }) => `${kind} ${arch}`);
      expect(built).toEqual(['thin amd64', 'thin arm64', 'full amd64', 'full arm64']);
    }
  });

  it('installs on every supported distribution and architecture', () => {
    const { image, arch } = matrixOf('install');
    expect(image).toEqual(imageNames);
    expect(arch).toEqual(['amd64', 'arm64']);
  });

  it('offers every supported distribution to a run by hand', () => {
    const { workflow_dispatch } = of('distribution.yml').on as {
      workflow_dispatch: { inputs: { distribution: { options: readonly string[] } } };
    };
    expect(workflow_dispatch.inputs.distribution.options).toEqual(imageNames);
  });

  it('uses no cache, which other runs could have filled', () => {
    const setups = found(({ uses }) => uses?.startsWith('actions/setup-node@') ?? false);
    for (const { at, step } of setups.filter(({ at }) => !at.startsWith('ci.yml'))) {
      expect(step.with, at).toMatchObject({ 'package-manager-cache': false });
    }
    expect(found(({ uses }) => uses?.startsWith('actions/cache') ?? false)).toEqual([]);
  });
});

describe('a script that a workflow runs', () => {
  it('runs only scripts of package.json in a workflow', () => {
    const called = steps.flatMap(({ step }) =>
      [...(step.run ?? '').matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name = '']) => name),
    );
    expect([...new Set(called)].filter((name) => !(name in scripts))).toEqual([]);
    expect(called.length).toBeGreaterThan(0);
  });
});
