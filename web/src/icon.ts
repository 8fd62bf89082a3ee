// The icons: drawn in one weight on a grid of 16, in the colour of the text around them.

const SVG = "http://www.w3.org/2000/svg";

// Severities and verdicts differ in outline, not only in colour.
const SHAPES = {
  valid: ["M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z", "M5 8.2l2.1 2.1L11 6.2"],
  invalid: ["M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z", "M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4"],
  undetermined: ["M8 1.5L14.5 8 8 14.5 1.5 8z", "M6.6 6.6c.1-1 .7-1.4 1.4-1.4s1.4.5 1.4 1.2c0 1.1-1.4 1.1-1.4 2.2M8 10.6v.1"],
  error: ["M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z", "M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4"],
  warning: ["M8 2l6.5 11.8h-13z", "M8 6.4v3.4M8 11.7v.1"],
  info: ["M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z", "M8 7.4v3.8M8 4.9v.1"],
  file: ["M4 1.5h5.2L12.5 5v9.5H4z", "M9 1.8V5.2h3.2"],
  package: ["M2 4.5L8 1.5l6 3v7l-6 3-6-3z", "M2.2 4.6L8 7.5l5.8-2.9M8 7.5v6.8"],
  folder: ["M1.5 3.5h4.6l1.4 1.7h7v7.8h-13z"],
  missing: ["M6.7 9.3a2.4 2.4 0 0 1 0-3.4l2-2a2.4 2.4 0 0 1 3.4 3.4l-.7.7", "M9.3 6.7a2.4 2.4 0 0 1 0 3.4l-2 2a2.4 2.4 0 0 1-3.4-3.4l.7-.7", "M2 2l12 12"],
  drop: ["M8 2v7.5M4.8 6.6L8 9.8l3.2-3.2", "M2 10.5v3h12v-3"],
  save: ["M8 2v8M4.8 7.1L8 10.300l3.2-3.200", "M2.500 13.500h11"],
  fix: ["M9.600 4.700a3 3 0 0 1 3.900-2.900l-1.800 1.800.300 1.700 1.700.300 1.800-1.800a3 3 0 0 1-3.900 3.900l-5.300 5.300a1.300 1.300 0 0 1-1.900-1.900z"],
  edit: ["M3 13l.700-3L11 2.700l2.300 2.300L6 12.300z", "M9.500 4.200l2.300 2.300"],
  compare: ["M5.500 2v12M2.500 5l3-3 3 3", "M10.500 14V2M7.500 11l3 3 3-3"],
  lock: ["M3.5 7h9v7h-9z", "M5.3 7V4.9a2.7 2.7 0 0 1 5.4 0V7"],
  search: ["M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6z", "M10.5 10.5l3.6 3.6"],
  copy: ["M5.5 5.5h8v9h-8z", "M3 11h-.5v-9.500h8V2"],
  share: ["M8 10.300V2M5.200 4.700L8 1.900l2.800 2.800", "M4.700 7H2.500v7h11V7h-2.200"],
  none: ["M4.500 8h7"],
  plus: ["M8 3v10M3 8h10"],
  same: ["M3 6h10M3 10h10"],
  keys: ["M1.500 4h13v8.500h-13z", "M4 6.700v.1M6.700 6.700v.1M9.300 6.700v.1M12 6.700v.1M5 9.800h6"],
  next: ["M6 3.500L10.500 8 6 12.500"],
  close: ["M3.500 3.500l9 9M12.500 3.500l-9 9"],
} satisfies Record<string, string[]>;

export type Icon = keyof typeof SHAPES;

/** A decorative icon, next to a text. */
export function icon(name: Icon, className = ""): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name} ${className}`.trim());
  svg.setAttribute("aria-hidden", "true");
  for (const d of SHAPES[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
