import { describe, expect, it } from 'vitest';
import { dayOf, daysBefore, endOf, monthOf } from '../../../../appliance/relay/budget/window.ts';

describe('the windows of budgets', () => {
  it('change at midnight in UTC', () => {
    expect(dayOf(Date.parse('2027-03-31T23:59:59.999Z'))).toBe('2027-03-31');
    expect(dayOf(Date.parse('2027-04-01T00:00:00Z'))).toBe('2027-04-01');
  });

  it.each([-1, 0, 8.64e15, Number.MAX_VALUE, Infinity])(
    'names a day that sorts as text for the time %s',
    (time) => {
      expect(dayOf(time)).toMatch(/^\d{4}-\d\d-\d\d$/);
    },
  );

  it.each([
    ['2027-03-31', '2027-04-01', '2027-04-01'],
    ['2027-12-31', '2028-01-01', '2028-01-01'],
    ['2028-02-28', '2028-02-29', '2028-03-01'],
    ['2027-01-31', '2027-02-01', '2027-02-01'],
  ])('ends the day %s at %s, and its month at %s', (day, nextDay, nextMonth) => {
    expect(endOf('day', day)).toBe(Date.parse(nextDay));
    expect(endOf('month', day)).toBe(Date.parse(nextMonth));
    expect(monthOf(day)).toBe(day.slice(0, 7));
  });

  it('counts days back over a leap day', () => {
    expect(daysBefore('2028-03-01', 2)).toBe('2028-02-28');
  });
});
