package darwin

import "image"

// Sizes of the isometric view, in pixels at scale 1 (handbook, section 10).
const (
	tileWidth    = 40
	tileHeight   = 20
	spriteHeight = 60
)

// tileMiddle returns the pixel in the middle of a square's ground, at scale 1.
func (s *scene) tileMiddle(x, y int) image.Point {
	return image.Pt((x-y+s.w.ground.height)*tileWidth/2,
		(x+y+1)*tileHeight/2+spriteHeight-tileHeight)
}

// tileAt is the inverse of tileMiddle for any pixel of the ground.
func (s *scene) tileAt(at image.Point, scale int) (x, y int) {
	u := at.X - s.w.ground.height*tileWidth/2*scale
	v := at.Y - (spriteHeight-tileHeight)*scale
	return floorDiv(u+2*v, tileWidth*scale), floorDiv(2*v-u, tileWidth*scale)
}
