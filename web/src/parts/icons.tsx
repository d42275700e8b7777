// Icons, ours: strokes on a grid of 20. Always beside a word, or with a label on
// what holds them.

const PATHS: Record<string, string> = {
  now: "M2.5 10h3.2l2-5.5 3.6 11 2.2-5.5h4",
  search: "M8.7 14.4a5.7 5.7 0 1 0 0-11.4 5.7 5.7 0 0 0 0 11.4ZM13 13l4 4",
  memory: "M5 3.5h7.5L15.5 6.500v10h-10.5ZM8 8h4.500M8 11h4.500",
  graph: "M5.500 6.500a2 2 0 1 0 0-.01ZM14.500 5a2 2 0 1 0 0-.01ZM10.500 15a2 2 0 1 0 0-.01ZM7.300 7.200l2.300 5.800M7.500 6l5-.700M13.700 6.800l-2.300 6.300",
  timeline: "M5 3v14M5 6h3M5 14h3M9.500 4.500h7v3h-7ZM9.500 12.500h5v3h-5Z",
  dream: "M15.800 12.300A6.700 6.700 0 0 1 7.700 4.200a6.700 6.700 0 1 0 8.100 8.100Z",
  review: "M10 3v14M3 6h4.500M3 10h4.500M3 14h3M12.500 6h4.500M12.500 10h4.500M12.500 14h3",
  evolution: "M3 16c4 0 4.500-5 7-5s3-6.500 7-6.500M14 3l3 1.500-1.500 3",
  stores: "M4 5.500c0-3 12-3 12 0v9c0 3-12 3-12 0ZM4 5.500c0 3 12 3 12 0M4 10c0 3 12 3 12 0",
  settings: "M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4",
  more: "M4.500 10h.01M10 10h.01M15.500 10h.01",
  pin: "M12.500 3l4.500 4.500-2.500.700-2.800 2.800-.400 3.500-6-6 3.500-.400 2.800-2.800ZM7.800 12.200 3.500 16.500",
  copy: "M7 7h9v9.500H7ZM4 13V3.500h9",
  close: "M5 5l10 10M15 5 5 15",
  back: "M11.500 4.500 6 10l5.500 5.500",
  next: "M8.500 4.500 14 10l-5.500 5.500",
  down: "M4.500 7.500 10 13l5.500-5.500",
  filter: "M3 5h14M6 10h8M8.500 15h3",
  sun: "M10 13.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM10 2v2M10 16v2M2 10h2M16 10h2M4.500 4.500l1.300 1.300M14.200 14.200l1.300 1.300M4.500 15.500l1.300-1.300M14.200 5.800l1.300-1.300",
  auto: "M10 3a7 7 0 1 0 0 14ZM10 3a7 7 0 0 1 0 14",
  folder: "M3 5.500h5l1.500 2H17v8.500H3Z",
  pause: "M7 5v10M13 5v10",
  play: "M6.500 4.500 15 10l-8.500 5.500Z",
  undo: "M4 8h8a4 4 0 0 1 0 8H8M7 4.500 3.500 8 7 11.500",
  check: "M4 10.500l4 4 8-9",
  keys: "M2.500 6h15v8.500h-15ZM5.500 9h.01M8.500 9h.01M11.500 9h.01M14.500 9h.01M7 12h6",
};

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: string; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name] ?? PATHS.more} />
    </svg>
  );
}

/** The mark of engram, as in icon.svg. Drawn in the page: an image would be one more thing to ask for. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0d6b66" />
      <path d="M8 20c3-9 6-9 8 0s5 9 8 0" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" />
      <circle cx="16" cy="9.5" r="2.2" fill="#f2c46d" />
    </svg>
  );
}
