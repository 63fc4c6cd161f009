import { useMemo } from 'preact/hooks';
import { servedHosts } from '#contract/site/enabled.ts';
import type { Site } from '#contract/site/site.ts';
import type { PinnedRelease } from '../../../bundle/released/pinned-release.ts';
import { explanationRows } from '../../../deliver/explain/describe.ts';
import { describeSite } from '../../../deliver/explain/describe-site.ts';
import type { RenderedUserData } from '../../../deliver/user-data/render.ts';
import { explanationOf } from '../result.ts';
import { Rows } from '../rows.tsx';
import { say } from '../say.ts';
import { Step } from './step.tsx';

interface CheckStepProps {
  readonly site: Site | undefined;
  readonly paste: RenderedUserData | undefined;
  readonly releases: readonly PinnedRelease[];
}

/** What the server will do, in the words of `landfall explain`. */
export function CheckStep({ site, paste, releases }: CheckStepProps) {
  const explanation = useMemo(
    () => (paste ? explanationOf(paste.bytes, releases).value : undefined),
    [paste, releases],
  );
  const names = site ? Object.values(servedHosts(site)) : [];
  return (
    <Step id="check" number={3} title={say('Check: this server will…', '核对：这台服务器将会……')}>
      {site === undefined && <p>{say('First fill in the server.', '请先填写服务器。')}</p>}
      {site && <Rows rows={explanation ? explanationRows(explanation) : describeSite(site)} />}
      {names.length > 0 && (
        <p>
          {say(
            'Create a DNS record of type A (and AAAA) with the address of the server for: ',
            '请为以下域名添加指向服务器地址的 A 记录（和 AAAA 记录）：',
          )}
          {names.map((name) => (
            <code key={name}>{name} </code>
          ))}
        </p>
      )}
    </Step>
  );
}
