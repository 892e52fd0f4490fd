/**
 * A request without what differs between two runs that are alike: times and ids. A number is an id
 * when it hangs on something (page-7, page/12, #3); one that stands alone is a fact and stays.
 */

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const HEX = /\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi;
const CLOCK = /\b\d+:\d\d(?::\d\d(?:\.\d+)?)?\b/g;
const NUMBER = /(?<=[A-Za-z][-/_]|[#_/])\d+(?![\d.]*\d)/g;

export const normalised = (text: string): string =>
  text
    .replace(INSTANT, "<time>")
    .replace(UUID, "<id>")
    .replace(HEX, "<id>")
    .replace(CLOCK, "<time>")
    .replace(NUMBER, "<n>");
