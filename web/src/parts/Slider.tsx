export interface SliderProps {
  label: string;
  min: number;
  max: number;
  value: number;
  step?: number;
  disabled?: boolean;
  /** What the value means, in words. */
  text: (value: number) => string;
  change: (value: number) => void;
}

/** A range with its value in words; arrows, Home and End as browsers have them. */
export function Slider({ label, min, max, value, step = 1, disabled, text, change }: SliderProps) {
  return (
    <input
      type="range"
      class="slider"
      aria-label={label}
      aria-valuetext={text(value)}
      min={min}
      max={max}
      step={step}
      disabled={disabled}
      value={value}
      onInput={(event) => change(Number(event.currentTarget.value))}
    />
  );
}
