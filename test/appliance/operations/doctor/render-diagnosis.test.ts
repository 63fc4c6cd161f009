import { afterEach, describe, expect, it } from 'vitest';
import { inBoth, setLanguage } from '#contract/text/language.ts';
import { diagnose, diagnosisToJson } from '../../../../appliance/operations/doctor/diagnosis.ts';
import type { Finding } from '../../../../appliance/operations/doctor/finding.ts';
import { renderDiagnosis } from '../../../../appliance/operations/doctor/render-diagnosis.ts';

const fix = { does: { en: 'start Docker', zh: '启动 Docker' }, apply: async () => {} };
const docker: Finding = {
  code: 'DOCKER_DOWN',
  subject: 'docker',
  text: { en: 'Docker is down', zh: 'Docker 已停止' },
  fix,
};
const gateway: Finding = { code: 'GATEWAY_DOWN', subject: 'gateway', text: inBoth('no answer') };
const ban: Finding = {
  ...{ code: 'BAN_DOWN', subject: 'fail2ban', text: inBoth('it \x1b[2Jis down') },
  details: Array.from({ length: 10 }, (_, index) => `line ${index}`),
};

describe('the diagnosis', () => {
  afterEach(() => setLanguage('en'));

  it('prints the meaning of each finding in Chinese above its text', () => {
    setLanguage('zh');
    const diagnosis = diagnose([{ name: 'a', findings: [gateway, docker] }], []);
    expect(renderDiagnosis(diagnosis)).toBe(`DOCKER_DOWN  Docker 没有响应。
  Docker 已停止
  处理方法: 运行 \`sudo systemctl start docker\`；失败时用 \`sudo journalctl -u docker -n 50\` 查看原因。
  自动修复: --fix 会启动 Docker
  可能只是后果: GATEWAY_DOWN (gateway)

1 项检查，1 个问题，1 个后果。请先处理 DOCKER_DOWN：运行 \`sudo landfall doctor --fix\``);
  });

  it('prints the diagnosis of a healthy server in one line', () => {
    const diagnosis = diagnose([{ name: 'a', findings: [] }], []);
    expect(renderDiagnosis(diagnosis)).toBe('1 checks, no findings');
  });

  it('shows causes with their remedies and consequences, then skipped checks', () => {
    const diagnosis = diagnose(
      [
        { name: 'a', findings: [gateway, docker] },
        { name: 'b', findings: [], skipped: inBoth('must be run as root') },
      ],
      [],
    );
    expect(renderDiagnosis(diagnosis)).toBe(`DOCKER_DOWN  Docker is down
  remedy: Start Docker with \`sudo systemctl start docker\`. If it fails, \`sudo journalctl -u docker -n 50\` shows the reason.
  automatic: --fix will start Docker
  probably only consequences: GATEWAY_DOWN (gateway)

not checked (must be run as root): b

1 checks, 1 finding and 1 consequence. Start with DOCKER_DOWN: run \`sudo landfall doctor --fix\``);
  });

  it('folds consequences of consequences under the first cause', () => {
    const of = (code: Finding['code'], subject: string) => ({ code, subject, text: inBoth('x') });
    const echoes = [
      of('COMPONENT_DOWN', 'ui'),
      of('CHECK_FAILED', 'engine'),
      of('CHECK_FAILED', 'ports'),
      // Follows from COMPONENT_DOWN only.
      of('CONTAINER_WITHOUT_PROXY', 'landfall-engine'),
    ];
    const text = renderDiagnosis(diagnose([{ name: 'a', findings: [docker, ...echoes] }], []));
    expect(text.split('\n\n')).toHaveLength(2);
    expect(text).toContain(
      'COMPONENT_DOWN (ui), CONTAINER_WITHOUT_PROXY (landfall-engine), CHECK_FAILED (engine, ports)',
    );
    expect(text).toContain('1 finding and 4 consequences. Start with DOCKER_DOWN');
  });

  it('puts the subject of a finding into the commands of its remedy', () => {
    const remedyOf = (code: Finding['code'], subject: string) =>
      diagnose([], [{ code, subject, text: inBoth('x') }]).findings[0]?.remedy;
    expect(remedyOf('PROVIDER_KEY_REFUSED', 'open-router')).toContain('set OPEN_ROUTER_API_KEY`');
    expect(remedyOf('COMPONENT_DOWN', 'ui')).toContain('landfall-ui`');
    expect(remedyOf('MODEL_MISSING', 'qwen3:8b')).toContain('pull qwen3:8b`');
    expect(remedyOf('PORT_CLOSED', '9000/tcp')).toContain('allow 9000/tcp`');
    expect(remedyOf('SERVICE_FAILED', 'ssh.service')).toContain('restart ssh.service`');
  });

  it('limits details and removes escape sequences', () => {
    const text = renderDiagnosis(diagnose([{ name: 'a', findings: [ban] }], []));
    expect(text).toContain('BAN_DOWN  it is down\n  line 0\n');
    expect(text).toContain('  line 7\n  … and 2 more\n  remedy: ');
    expect(text).toMatch(/1 checks, 1 finding\. Start with BAN_DOWN: follow its remedy$/);
  });

  it('prints the complete diagnosis as JSON, with the remedy of each code', () => {
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
