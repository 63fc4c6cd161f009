import { describe, expect, it } from 'vitest';
import { type Job, readWorkflows, type Step, type Workflow } from './workflow.ts';

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
  it('is known to these tests', () => {
    expect(workflows.map(({ file }) => file)).toEqual(Object.keys(triggers).sort());
  });

  it.each(workflows.map((each) => [each.file, each] as const))(
    '%s has its triggers only',
    (file, { on }) => {
      expect(on).toEqual(triggers[file]);
    },
  );

  it('has no permission by default', () => {
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
  'ci.yml': { pull_request: null, push: { branches: ['main'] } },
};

describe('every job', () => {
  it('has a timeout of at most six hours', () => {
    for (const { at, job } of jobs) expect(job['timeout-minutes'], at).toBeLessThanOrEqual(360);
  });

  it('has exactly the permissions that it needs', () => {
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
const permissions: Readonly<Record<string, object>> = {
  'ci.yml essential': read,
  'ci.yml all': read,
  'ci.yml workflows': read,
};

describe('every step', () => {
  it('pins actions by commit, with the version as a comment', () => {
    const used = workflows.flatMap(({ file, text }) =>
      [...text.matchAll(/uses: (.*)$/gm)].map(([, uses = '']) => ({ file, uses })),
    );
    const loose = used.filter(
      ({ uses }) =>
        uses !== './' && !/^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses),
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
  it('are unreachable from a pull request', () => {
    const text = JSON.stringify(of('ci.yml').jobs);
    expect(text).not.toMatch(/secrets\.|github\.token|GITHUB_TOKEN/);
    for (const { on, file } of workflows) {
      expect(Object.keys(on), file).not.toContain('pull_request_target');
      expect(Object.keys(on), file).not.toContain('workflow_run');
    }
  });
});
