import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { diagnose, diagnosisToJson } from '../../../appliance/doctor/diagnosis.ts';
import type { Finding } from '../../../appliance/doctor/finding.ts';
import { renderDiagnosis } from '../../../appliance/doctor/render-diagnosis.ts';

const fix = { does: 'start Docker', apply: async () => {} };
const docker: Finding = { code: 'DOCKER_DOWN', subject: 'docker', text: 'Docker is down', fix };
const gateway: Finding = { code: 'GATEWAY_DOWN', subject: 'gateway', text: 'no answer' };
const ban: Finding = {
  ...{ code: 'BAN_DOWN', subject: 'fail2ban', text: 'it \x1b[2Jis down' },
  details: Array.from({ length: 10 }, (_, index) => `line ${index}`),
};

describe('the diagnosis', () => {
  afterEach(() => setLanguage('en'));

  it('is in Chinese, with the text of each finding below its meaning', () => {
    setLanguage('zh');
    const diagnosis = diagnose([{ name: 'a', findings: [gateway, docker] }], []);
    expect(renderDiagnosis(diagnosis)).toBe(`DOCKER_DOWN  Docker 没有响应。
  Docker is down
  处理方法: 运行 \`sudo systemctl start docker\`；失败时用 \`sudo journalctl -u docker -n 50\` 查看原因。
  自动修复: --fix: start Docker

GATEWAY_DOWN  no answer （可能由 DOCKER_DOWN 引起）

1 项检查，2 个问题。请先处理 DOCKER_DOWN：运行 \`sudo landfall doctor --fix\``);
  });

  it('of a healthy server is one line', () => {
    const diagnosis = diagnose([{ name: 'a', findings: [] }], []);
    expect(renderDiagnosis(diagnosis)).toBe('1 checks, no findings');
  });

  it('shows causes with their remedies, then possible consequences and skipped checks', () => {
    const diagnosis = diagnose(
      [
        { name: 'a', findings: [gateway, docker] },
        { name: 'b', findings: [], skipped: 'must be run as root' },
      ],
      [],
    );
    expect(renderDiagnosis(diagnosis)).toBe(`DOCKER_DOWN  Docker is down
  remedy: Start Docker with \`sudo systemctl start docker\`. If it fails, \`sudo journalctl -u docker -n 50\` shows the reason.
  automatic: --fix will start Docker

GATEWAY_DOWN  no answer (may follow from DOCKER_DOWN)

not checked (must be run as root): b

1 checks, 2 findings. Start with DOCKER_DOWN: run \`sudo landfall doctor --fix\``);
  });

  it('limits details and removes escape sequences', () => {
    const text = renderDiagnosis(diagnose([{ name: 'a', findings: [ban] }], []));
    expect(text).toContain('BAN_DOWN  it is down\n  line 0\n');
    expect(text).toContain('  line 7\n  … and 2 more\n  remedy: ');
    expect(text).toMatch(/1 checks, 1 finding\. Start with BAN_DOWN: follow its remedy$/);
  });

  it('is complete in JSON, with the remedy of each code', () => {
    expect(diagnosisToJson(diagnose([{ name: 'a', findings: [docker] }], [ban]))).toMatchObject({
      checks: 1,
      findings: [
        { code: 'BAN_DOWN', details: ban.details, fix: null, follows: null },
        {
          code: 'DOCKER_DOWN',
          subject: 'docker',
          text: 'Docker is down',
          remedy: expect.stringContaining('systemctl start docker'),
          fix: 'start Docker',
        },
      ],
      skipped: [],
    });
  });
});
