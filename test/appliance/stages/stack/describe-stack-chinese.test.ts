import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { renderTable } from '../../../../appliance/server/progress/terminal/table.ts';
import { describeStack } from '../../../../appliance/stages/stack/describe-stack.ts';

afterEach(() => setLanguage('en'));

describe('the status in Chinese', () => {
  it('describes the stack', () => {
    setLanguage('zh');
    const parts = [{ name: 'ui', state: 'exited', health: '' }] as const;
    const [first, second] = describeStack({ parts } as never);
    expect(first?.text).toBe('当前：1 个组件中有 1 个不正常');
    expect(second?.text).toBe('  ui：exited；sudo docker logs --tail 50 landfall-ui');
  });

  it('describes the first boot', () => {
    setLanguage('zh');
    const status = {
      ...{ product: 'landfall', release: '1.2.0', state: 'done', stages: [], warnings: [] },
      ...{ started: '2026-11-24T00:00:00.000Z', updated: '2026-11-24T00:00:32.000Z' },
    } as never;
    const [headline] = renderTable({ status, interrupted: false, installed: true }, 0);
    expect(headline?.text).toMatch(/^landfall 1\.2\.0: 首次启动用时 32/);
  });
});
