import { useEffect, useState } from 'preact/hooks';
import type { Site } from '#contract/site/site.ts';
import type { PinnedRelease } from '../../../bundle/released/pinned-release.ts';
import { explanationRows } from '../../../deliver/explain/describe.ts';
import { describeSite } from '../../../deliver/explain/describe-site.ts';
import type { Explanation } from '../../../deliver/explain/explain-paste.ts';
import type { RenderedUserData } from '../../../deliver/user-data/render.ts';
import { explanationOf } from '../result.ts';
import { Rows } from '../rows.tsx';
import { say } from '../say.ts';
import { Step } from './step.tsx';

interface CheckStepProps {
  readonly site: Site | undefined;
  readonly paste: RenderedUserData | undefined;
  readonly releases: readonly PinnedRelease[];
  /** Of the server, in GB. */
  readonly memory: number | undefined;
}

/** What the server will do, in the words of `landfall explain`. */
export function CheckStep({ site, paste, releases, memory }: CheckStepProps) {
  const explanation = useExplanation(paste, releases);
  const release = releases[0]?.release;
  return (
    <Step id="check" number={3} title={say('Check: this server will…', '核对：这台服务器将会……')}>
      {site === undefined && <p>{say('First fill in the server.', '请先填写服务器。')}</p>}
      {site && (
        <Rows
          rows={
            explanation
              ? explanationRows(explanation, memory)
              : describeSite(site, { release, memory })
          }
        />
      )}
    </Step>
  );
}

/** An explanation renders the user-data again, which is too slow for each key. Milliseconds without one. */
const pause = 300;

/** Explains the result when nothing is typed for a moment; undefined until then. */
function useExplanation(
  paste: RenderedUserData | undefined,
  releases: readonly PinnedRelease[],
): Explanation | undefined {
  const [explained, setExplained] = useState<{
    of: RenderedUserData;
    as: Explanation | undefined;
  }>();
  useEffect(() => {
    if (!paste) return;
    const explain = () =>
      setExplained({ of: paste, as: explanationOf(paste.bytes, releases).value });
    const timer = setTimeout(explain, pause);
    return () => clearTimeout(timer);
  }, [paste, releases]);
  return explained?.of === paste ? explained?.as : undefined;
}
