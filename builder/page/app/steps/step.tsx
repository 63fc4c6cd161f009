import type { ComponentChildren } from 'preact';

interface StepProps {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A step of the page: a numbered section, which links can name. */
export function Step({ id, number, title, children }: StepProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} tabIndex={-1}>
        <span class="number">{number}</span> {title}
      </h2>
      {children}
    </section>
  );
}
